/** The order in which a page loads what is heavy: texts that are read, the editor, whatever nobody waits for. */

type Stage = 'texts' | 'editor'

const coming: Record<Stage, Set<object>> = { texts: new Set(), editor: new Set() }
let waiting: (() => void)[] = []

/** Says that something of a stage is being loaded, until the returned function is called. */
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

/** Resolves when nothing of a stage is being loaded: at once on pages that have nothing of it. */
export async function after(stage: Stage): Promise<void> {
  // Other parts of the page may say in this moment what they load.
  await Promise.resolve()
  while (coming[stage].size > 0) await new Promise<void>((wake) => waiting.push(wake))
}
