/** The order in which a page loads its heavy parts: texts to read, then the editor, then what nobody waits for. */

type Stage = 'texts' | 'editor'

const coming: Record<Stage, Set<object>> = { texts: new Set(), editor: new Set() }
let waiting: (() => void)[] = []

/** Notes that a part of a stage is being loaded, until the returned function is called. */
export function comes(stage: Stage): () => void {
  const own = {}
  coming[stage].add(own)
  return () => {
    coming[stage].delete(own)
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
}

/** Resolves when no part of a stage is being loaded: at once on pages without such a part. */
export async function after(stage: Stage): Promise<void> {
  // First, other parts of the page get the chance to note what they load.
  await Promise.resolve()
  while (coming[stage].size > 0) await new Promise<void>((wake) => waiting.push(wake))
}
