// Brings a benchmark's new server to the state of one that has run for a while: with files of the write-ahead log to reuse.
import { connect } from "#db/connect.ts";
import type { BenchDatabase } from "./server.ts";

const MESSAGE_BYTES = 1_000_000;

/**
 * Writes so much into the server's write-ahead log, and then runs a checkpoint, which keeps the files for reuse. A
 * server makes each new one of 16 MB with zeros, and all commits wait for 80 ms until they are on the disk: at a
 * thousand sales a second, that came every second.
 */
export async function useWal({ superuserUrl }: BenchDatabase, megabytes: number): Promise<void> {
  const admin = connect(superuserUrl, { applicationName: "bench-wal", maxConnections: 1 });
  await admin.unsafe(`
    do $$ begin
      for part in 1..${megabytes} loop
        perform pg_logical_emit_message(false, 'bench', repeat('x', ${MESSAGE_BYTES}));
      end loop;
    end $$`);
  await admin.unsafe("checkpoint");
  await admin.end();
}
