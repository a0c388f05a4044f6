import { useState } from 'react'

/** The people of a list who are chosen for one change, by username. */
export interface Chosen {
  chosen: ReadonlySet<string>
  choose: (usernames: readonly string[], isChosen: boolean) => void
}

/** Remembers who is chosen. */
export function useChosen(): Chosen {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  function choose(usernames: readonly string[], isChosen: boolean) {
    const next = new Set(chosen)
    for (const username of usernames)
      if (isChosen) next.add(username)
      else next.delete(username)
    setChosen(next)
  }
  return { chosen, choose }
}
