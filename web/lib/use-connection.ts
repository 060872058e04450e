// Whether the store can be reached, for what shows how fresh the screen is.
import { useSyncExternalStore } from "react";
import { connection, whenConnection, type Connection } from "./connection.ts";

export function useConnection(): Connection {
  return useSyncExternalStore(whenConnection, connection);
}
