// Everything that a generator yields, for tests of lists that are made in batches.

export async function batchesOf<Batch>(
  generator: AsyncGenerator<Batch>,
): Promise<readonly Batch[]> {
  const all: Batch[] = [];
  for await (const batch of generator) {
    all.push(batch);
  }
  return all;
}
