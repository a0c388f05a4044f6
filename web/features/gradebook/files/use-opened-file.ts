/** An opened file, what was recognised in it, and what staff chose about it. */
import { useMemo, useState } from 'react'
import type { GradebookColumn } from '#contract/gradebook'
import { pairColumns } from '../../../lib/gradebook-files/columns.ts'
import { fillGradebook, type MarkedPerson } from '../../../lib/gradebook-files/fill.ts'
import type { GradebookFile } from '../../../lib/gradebook-files/open.ts'
import { recognise } from '../../../lib/gradebook-files/systems.ts'
import { useKeptPairs } from './kept-pairs.ts'

/** A picked file. */
export interface PickedFile {
  name: string
  file: GradebookFile
}

/** What the file does, by the choices so far. */
export function useOpenedFile(
  { name, file }: PickedFile,
  people: readonly MarkedPerson[],
  columns: readonly GradebookColumn[],
) {
  const [person, setPerson] = useState<number | null>(null)
  const [rows, setRows] = useState<ReadonlyMap<number, string | null>>(new Map())
  const [scaled, setScaled] = useState<ReadonlySet<number>>(new Set())
  const [isEmptyZero, setEmptyZero] = useState(false)
  const { kept, choose } = useKeptPairs()
  const recognised = useMemo(() => recognise(file.table, person), [file, person])
  const pairs = useMemo(
    () => pairColumns(recognised.marks, columns, kept),
    [recognised, columns, kept],
  )
  const report = useMemo(
    () => fillGradebook(file, recognised, people, columns, { pairs, rows, scaled, isEmptyZero }),
    [file, recognised, people, columns, pairs, rows, scaled, isEmptyZero],
  )
  return {
    name,
    file,
    people,
    columns,
    recognised,
    pairs,
    person,
    rows,
    scaled,
    isEmptyZero,
    report,
    choosePerson: (column: number | null) => {
      setPerson(column)
      setRows(new Map())
    },
    chooseColumn: choose,
    chooseRow: (row: number, username: string | null) => setRows(new Map(rows).set(row, username)),
    setScaled: (column: number, isScaled: boolean) => {
      const next = new Set(scaled)
      if (isScaled) next.add(column)
      else next.delete(column)
      setScaled(next)
    },
    setEmptyZero,
  }
}
export type OpenedFile = ReturnType<typeof useOpenedFile>
