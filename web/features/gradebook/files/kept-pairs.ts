/** Which column of the gradebook staff chose for a head of a file: kept in the browser for the next file of the course. */
import { useState } from 'react'
import * as z from 'zod'
import { parseJson } from '../../../lib/api/parse-json.ts'
import { useCourse } from '../../../lib/queries/course.ts'
import { useSession } from '../../../lib/session/session.ts'
import { readStored, writeStored } from '../../../lib/storage.ts'

const keptPairs = z.array(z.tuple([z.string(), z.int().nullable()]))

/** The choices by head; null: the column is left as it is. */
export function useKeptPairs() {
  const { course } = useCourse()
  const { user } = useSession()
  const key = `gradebook-file:${user?.username.toLowerCase() ?? ''}:${course}`
  const [kept, setKept] = useState<ReadonlyMap<string, number | null>>(
    () => new Map(keptPairs.safeParse(parseJson(readStored(key) ?? '')).data),
  )
  function choose(head: string, columnId: number | null) {
    const next = new Map(kept).set(head, columnId)
    writeStored(key, JSON.stringify([...next]))
    setKept(next)
  }
  return { kept, choose }
}
