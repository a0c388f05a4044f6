/** The picked file of members, as it was read or as the user has corrected the reading. */
import { useMemo, useState } from 'react'
import { findEncoding, type Encoding } from '../../lib/files/file-text.ts'
import { noTextOf } from '../../lib/files/no-text.ts'
import { matchColumns, type Columns, type Field } from '../../lib/files/person-heads.ts'
import {
  findShortened,
  readTable,
  toApiCsv,
  toMembers,
  type Member,
  type MemberTable,
  type Separator,
} from './member-file.ts'

export interface PickedFile {
  name: string
  bytes: Uint8Array
  encoding: Encoding
  /** null: the separator that fits best. */
  separator: Separator | null
  /** null: the columns have the meanings that their headers say. */
  columns: Columns | null
}

/** A file that can be read. */
export interface MemberFile extends PickedFile {
  separator: Separator
  columns: Columns
  table: MemberTable
  members: Member[]
  csv: string
  /** The required fields that no column has. */
  missing: Field[]
  shortened: ReturnType<typeof findShortened>
}

function readMembers(file: PickedFile): MemberFile {
  const table = readTable(file.bytes, file.encoding, file.separator)
  const columns = file.columns ?? matchColumns(table.heads)
  const members = toMembers(table, columns)
  return {
    ...file,
    separator: table.separator,
    columns,
    table,
    members,
    csv: toApiCsv(members),
    missing: (['username', 'email'] as const).filter((field) => !columns.includes(field)),
    shortened: findShortened(table, columns),
  }
}

/** The state of the picked file. `isBad`: the file is a workbook or another file that is no text. */
export function useMemberFile() {
  const [picked, setPicked] = useState<PickedFile | null>(null)
  const [isBad, setIsBad] = useState(false)
  const file = useMemo(() => (picked === null ? null : readMembers(picked)), [picked])

  /** Reads a file; null when it is no text. */
  async function open(chosen: File): Promise<MemberFile | null> {
    const bytes = new Uint8Array(await chosen.arrayBuffer())
    const bad = noTextOf(bytes) !== null
    setIsBad(bad)
    const next = bad
      ? null
      : {
          name: chosen.name,
          bytes,
          encoding: findEncoding(bytes),
          separator: null,
          columns: null,
        }
    setPicked(next)
    return next && readMembers(next)
  }

  /** Reads the file with other settings. The headers may change, so the columns are matched anew. */
  function reread(change: Partial<Pick<PickedFile, 'encoding' | 'separator'>>) {
    if (picked !== null) setPicked({ ...picked, columns: null, ...change })
  }

  /** Gives a column a meaning, and takes it from any other column. */
  function setColumn(column: number, field: Field | null) {
    if (picked === null || file === null) return
    const columns = file.columns.map((old, index) =>
      index === column ? field : old === field ? null : old,
    )
    setPicked({ ...picked, columns })
  }

  return { file, isBad, open, reread, setColumn }
}
