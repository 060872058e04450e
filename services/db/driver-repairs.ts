// Patches postgres.js 3.4.9 while it is loaded: its handling of a lost connection breaks the next one.
import { registerHooks } from "node:module";

type Repair = { readonly file: string; readonly from: string; readonly to: string };

/*
 * The bugs, each seen when PostgreSQL was killed under load:
 * - A write that was planned for a connection is neither dropped nor marked as dropped when the connection closes.
 *   The next connection in its place then never sends its greeting and hangs until the connect timeout, again and
 *   again; or the write finds no socket and its TypeError ends the process.
 * - Queued statements stay in the queue when the connection closes with an error. On the next connection, answers go
 *   to the statement before the right one.
 * - A transaction or reserved connection continues after its connection was lost: its next statements run on the
 *   connection that replaces it, outside of any transaction.
 * - Ending a pool with a lost connection takes the whole timeout.
 * - A COPY whose last rows are refused never ends, and neither does one whose connection is lost; and a COPY that went
 *   well is followed by a message that says it failed, which PostgreSQL ignores.
 * - A COPY whose last rows arrive faster than they are read leaves its connection paused: the next statement hangs.
 * - A reservation that opens its connection never gets it if the pool does not ask for the array types first
 *   (`fetch_types: false`).
 * - A connection that is due to be replaced while it is reserved is given back as if nothing were, ends with its next
 *   statement, and fails the one after that. Now one that is reserved at that moment is kept.
 *
 * And two wastes:
 * - An idle pool gave each statement the connection that had rested longest, so that every one of them planned every
 *   statement. Now it is the one that was used last.
 * - A statement that is not prepared was sent in two trips, because the driver first asked for the types of its
 *   parameters. With the option `isOneTrip`, texts, numbers, booleans and null go with it as they are; a parameter of
 *   type json or bytea must then be such a text already. Others, such as arrays, still take two trips.
 */
const repairs: readonly Repair[] = [
  {
    file: "/postgres/src/connection.js",
    from: `lifeTimer = timer(end, options.max_lifetime)`,
    to: `lifeTimer = timer(() => connection.reserved?.release || end(), options.max_lifetime)`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    to: `    clearImmediate(nextWriteTimer)
    nextWriteTimer = chunk = null
    socket.removeListener('data', data)`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))`,
    to: `    const lost = Errors.connection('CONNECTION_CLOSED', options, socket)
    query && queryError(query, lost)
    while (sent.length)
      queryError(sent.shift(), lost)
    stream && (stream.destroy(lost), stream = null)
    final && (final(lost), final = null)
    query = results = errorResponse = null
    result = new Result()

    if (initial)
      return reconnect()
`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `    onclose(connection, Errors.connection('CONNECTION_CLOSED', options, socket))
  }`,
    to: `    onclose(connection, lost)
    ending && !initial && terminate()
  }`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `    clearImmediate(nextWriteTimer)
    if (socket) {`,
    to: `    clearImmediate(nextWriteTimer)
    nextWriteTimer = chunk = null
    if (socket) {`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
    to: `    if (!socket) {
      queryError(q, Errors.connection('CONNECTION_CLOSED', options))
      return true
    }

    if (stream)
      return queryError(q, Errors.generic('COPY_IN_PROGRESS'`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `    stream && (stream.destroy(err), stream = null)
    query && queryError(query, err)`,
    to: `    stream && (stream.destroy(err), stream = null)
    final && (final(err), final = null)
    query && queryError(query, err)`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `    stream = new Stream.Writable({
      autoDestroy: true,
      write(chunk, encoding, callback) {
        socket.write(b().d().raw(chunk).end(), callback)
      },
      destroy(error, callback) {
        callback(error)
        socket.write(b().f().str(error + b.N).end())`,
    to: `    stream = new Stream.Writable({
      autoDestroy: true,
      write(chunk, encoding, callback) {
        socket.write(b().d().raw(chunk).end(), callback)
      },
      destroy(error, callback) {
        callback(error)
        error && socket && socket.write(b().f().str(error + b.N).end())`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `    stream && stream.push(null)
    stream = null`,
    to: `    stream && stream.push(null)
    stream = null
    socket.resume()`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `      initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return
`,
    to: `      options.shared.retries = retries = 0
      const first = initial
      initial = null
      if (!first.reserve)
        return execute(first)
`,
  },
  {
    file: "/postgres/src/index.js",
    from: `    let savepoints = 0
      , connection
      , prepare = null`,
    to: `    let savepoints = 0
      , connection
      , prepare = null
      , lost = null`,
  },
  {
    file: "/postgres/src/index.js",
    from: `        new Promise((_, reject) => connection.onclose = reject)`,
    to: `        new Promise((_, reject) => connection.onclose = (e) => {
          lost = e
          while (queries.length)
            queries.shift().reject(e)
          reject(e)
        })`,
  },
  {
    file: "/postgres/src/index.js",
    from: `        q.catch(e => uncaughtError || (uncaughtError = e))
        c.queue === full`,
    to: `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
        c.queue === full`,
  },
  {
    file: "/postgres/src/index.js",
    from: `    move(c, reserved)
    c.reserved = () => queue.length`,
    to: `    let lost = null
    move(c, reserved)
    c.onclose = (e) => {
      lost = e
      while (queue.length)
        queue.shift().reject(e)
    }
    c.reserved = () => queue.length`,
  },
  {
    file: "/postgres/src/index.js",
    from: `    sql.release = () => {
      c.reserved = null`,
    to: `    sql.release = () => {
      if (lost)
        return
      lost = Errors.generic('CONNECTION_RELEASED', 'The connection was released')
      c.onclose = null
      c.reserved = null`,
  },
  {
    file: "/postgres/src/index.js",
    from: `    function handler(q) {
      c.queue === full
        ? queue.push(q)`,
    to: `    function handler(q) {
      if (lost)
        return q.reject(lost)
      c.queue === full
        ? queue.push(q)`,
  },
  {
    file: "/postgres/src/index.js",
    from: `      , open = Queue()`,
    to: `      , open = Object.assign([], {
        shift: () => open.pop(),
        remove: (c) => open.includes(c) ? open.splice(open.indexOf(c), 1)[0] : null
      })`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `    q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared)`,
    to: `    q.isOneTrip = q.options.isOneTrip && !q.prepare && !q.onlyDescribe
      && parameters.every(x => x === null || typeof x !== 'object')
    q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared && !q.isOneTrip)`,
  },
  {
    file: "/postgres/src/connection.js",
    from: `        && !q.describeFirst
`,
    to: `        && !q.describeFirst
        && !q.isOneTrip
`,
  },
];

/** Throws if the text is not the one that the patches were made for: another version must be reviewed first. */
export function repaired(file: string, source: string): string {
  let text = source;
  for (const { from, to } of repairs.filter((repair) => repair.file === file)) {
    if (text.split(from).length !== 2) {
      throw new Error(
        `postgres${file.slice("/postgres".length)} is not that of version 3.4.9: check whether it still needs services/db/driver-repairs.ts`,
      );
    }
    text = text.replace(from, () => to);
  }
  return text;
}

let isRegistered = false;

/** Call before the driver is imported for the first time. */
export function repairDriver(): void {
  if (isRegistered) {
    return;
  }
  isRegistered = true;
  const files = new Set(repairs.map(({ file }) => file));
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = [...files].find((end) => url.endsWith(`/node_modules${end}`));
      if (file === undefined || loaded.source === undefined || loaded.source === null) {
        return loaded;
      }
      const source =
        typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
      return { ...loaded, source: repaired(file, source) };
    },
  });
}
