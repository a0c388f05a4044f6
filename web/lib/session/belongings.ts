/** Data that people leave in this browser: drafts, kept forms and the like. The storage keys name the owners of the data. */
import { readStored, removeStored, STORAGE_KEYS, writeStored } from '../storage.ts'

const OWNED = /^(?:outgoing:)?(?:draft|run-inputs|form|job|import|gradebook-file):([^:]*):/

/** Removes the data of some people from one storage. */
function removeFrom(open: () => Storage, isTheirs: (owner: string) => boolean): void {
  try {
    const storage = open()
    for (const key of Object.keys(storage)) {
      const owner = OWNED.exec(key)?.[1]
      if (owner !== undefined && isTheirs(owner)) storage.removeItem(key)
    }
  } catch {
    // Without storage, nothing was stored.
  }
}

function remove(isTheirs: (owner: string) => boolean): void {
  removeFrom(() => localStorage, isTheirs)
  removeFrom(() => sessionStorage, isTheirs)
}

/** Removes the data that a person has left in this browser, as far as this tab can see them. */
export function dropBelongings(username: string): void {
  remove((owner) => owner === username.toLowerCase())
}

/** Whether the last person who signed in has marked the computer as shared. */
export function isSharedComputer(): boolean {
  return readStored(STORAGE_KEYS.sharedComputer) !== null
}

/** On a shared computer, removes the data that everybody else has left. */
export function dropBelongingsOfOthers(username: string): void {
  if (isSharedComputer()) remove((owner) => owner !== username.toLowerCase())
}

/**
 * Notes whether the person who signs in has marked the computer as shared. If the computer is shared, or was until now,
 * removes the data that other people have left.
 */
export function noteSharedComputer(username: string, isShared: boolean): void {
  if (isShared) writeStored(STORAGE_KEYS.sharedComputer, 'true')
  dropBelongingsOfOthers(username)
  if (!isShared) removeStored(STORAGE_KEYS.sharedComputer)
}
