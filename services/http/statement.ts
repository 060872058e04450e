// A Kysely statement that is built and compiled once: each run only fills in its values.
import type { CompiledQuery, QueryExecutorProvider, RawBuilder } from "kysely";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import type { Reads } from "#http/reads.ts";

/** Stands for a value among the parameters of a compiled statement. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Only builds and compiles. */
const builder: Reads = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}) as never;

/** The place of a value in the statement. */
export type ValueOf<Values> = <Name extends keyof Values & string>(
  name: Name,
) => RawBuilder<Values[Name]>;

type Build<Shape, Values, Row> = (
  reads: Reads,
  value: ValueOf<Values>,
  shape: Shape,
) => { readonly compile: (executor: QueryExecutorProvider) => CompiledQuery<Row> };

/**
 * Building and compiling a statement takes longer than sending it, so hot reads do it once for each shape: which
 * filters there are and how it is sorted, as plain data with few possible values. Runs where `reads` does. `build` may
 * not depend on anything but its arguments.
 */
export function statements<Shape extends object, Values extends object, Row>(
  build: Build<Shape, Values, Row>,
): (reads: Reads, shape: Shape, values: Values) => Promise<readonly Row[]> {
  const compiledByShape = new Map<string, CompiledQuery<Row>>();

  function compiledFor(shape: Shape): CompiledQuery<Row> {
    const key = JSON.stringify(shape);
    let compiled = compiledByShape.get(key);
    if (compiled === undefined) {
      compiled = build(builder, (name) => sql`${new Slot(name)}`, shape).compile(builder);
      compiledByShape.set(key, compiled);
    }
    return compiled;
  }

  return async (reads, shape, values) => {
    const compiled = compiledFor(shape);
    const parameters = compiled.parameters.map((parameter): unknown =>
      parameter instanceof Slot ? Reflect.get(values, parameter.name) : parameter,
    );
    const provider: QueryExecutorProvider = reads;
    const { rows } = await provider.getExecutor().executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}

/** The same for a statement of one shape. */
export function statement<Values extends object, Row>(
  build: Build<object, Values, Row>,
): (reads: Reads, values: Values) => Promise<readonly Row[]> {
  const run = statements(build);
  const shape = {};
  return (reads, values) => run(reads, shape, values);
}
