/** Finds the people of a course in the rows of a file. */
import { fold } from './fold.ts'
import type { PersonKey, Recognised } from './systems.ts'
import type { RawCell, RawTable } from './table.ts'

/** A student of the course. `email`: undefined if the reader does not know it. */
export interface GradebookPerson {
  username: string
  displayedName: string
  email?: string | undefined
}

/** A row of the file that is not surely one person's. `why`: several people fit, or the person stands in several rows. */
export interface UnsureRow {
  row: number
  name: string
  why: 'several' | 'twice'
  candidates: GradebookPerson[]
}

/** `byRow`: the person of each row. `unknown`: rows that fit nobody. `absent`: people whom no row fits. */
export interface MatchedPeople<Person extends GradebookPerson> {
  byRow: ReadonlyMap<number, Person>
  unsure: UnsureRow[]
  unknown: { row: number; name: string }[]
  absent: Person[]
}

/** The ways to write a name: "Last, First" is "First Last", too, and in Chinese both without a blank. */
function formsOf(name: string): string[] {
  const text = fold(name)
  const [family = '', given = '', ...rest] = text.split(/ ?, ?/)
  if (given === '' || rest.length > 0) return [text]
  return [text, `${given} ${family}`, `${family} ${given}`, `${family}${given}`]
}

/** The people by what names them. */
class PeopleIndex<Person extends GradebookPerson> {
  readonly #logins = new Map<string, Set<Person>>()
  readonly #emails = new Map<string, Set<Person>>()
  readonly #names = new Map<string, Set<Person>>()

  constructor(people: readonly Person[]) {
    function add(index: Map<string, Set<Person>>, key: string, person: Person) {
      index.set(key, (index.get(key) ?? new Set()).add(person))
    }
    for (const person of people) {
      add(this.#logins, fold(person.username), person)
      if (person.email !== undefined) add(this.#emails, fold(person.email), person)
      for (const form of formsOf(person.displayedName)) add(this.#names, form, person)
    }
  }

  /** Those whom an id, a login or an address names. */
  byKey(value: string): Person[] {
    const key = fold(value)
    return [...(this.#logins.get(key) ?? this.#emails.get(key) ?? [])]
  }

  byName(name: string): Person[] {
    const found = new Set(formsOf(name).flatMap((form) => [...(this.#names.get(form) ?? [])]))
    return name === '' ? [] : [...found]
  }
}

/** What the cells of a row say of its person. Some systems write `#` before ids and names. */
function readRow(cells: readonly RawCell[], keys: Recognised['keys']) {
  const read = new Map<PersonKey, string>()
  for (const [column, key] of keys) {
    const value = cells[column]?.value.trim().replace(/^#/, '') ?? ''
    if (value !== '') read.set(key, value)
  }
  const family = read.get('family') ?? ''
  const given = read.get('given') ?? ''
  const joined = family !== '' && given !== '' ? `${family}, ${given}` : family + given
  const ids = (['id', 'login', 'email'] as const).flatMap((key) => read.get(key) ?? [])
  return { name: read.get('name') ?? joined, ids }
}

/**
 * Finds people by id, login and address, and only if these name nobody, by name.
 * @param chosen the username of a row that was chosen by hand; null: nobody
 */
export function matchPeople<Person extends GradebookPerson>(
  { rows }: RawTable,
  { keys, isPerson }: Pick<Recognised, 'keys' | 'isPerson'>,
  people: readonly Person[],
  chosen: ReadonlyMap<number, string | null>,
): MatchedPeople<Person> {
  const index = new PeopleIndex(people)
  const fits = rows.flatMap((cells, row) => {
    if (!isPerson(row)) return []
    const { name, ids } = readRow(cells, keys)
    const named = [...new Set(ids.flatMap((id) => index.byKey(id)))]
    const isNamed = named.length > 0
    const found = isNamed ? named : index.byName(name === '' ? (ids[0] ?? '') : name)
    return { row, name: [name, ...ids].filter(Boolean).join(' · '), found }
  })
  const rowsOf = new Map<Person, number>()
  for (const { found } of fits)
    if (found.length === 1 && found[0]) rowsOf.set(found[0], (rowsOf.get(found[0]) ?? 0) + 1)
  const byRow = new Map<number, Person>()
  const unsure: UnsureRow[] = []
  const unknown: MatchedPeople<Person>['unknown'] = []
  const seen = new Set<Person>()
  for (const { row, name, found } of fits) {
    for (const person of found) seen.add(person)
    const [only] = found
    if (only === undefined) unknown.push({ row, name })
    else if (found.length === 1 && rowsOf.get(only) === 1) byRow.set(row, only)
    else {
      unsure.push({ row, name, why: found.length > 1 ? 'several' : 'twice', candidates: found })
      const person = found.find(({ username }) => username === chosen.get(row))
      if (person !== undefined) byRow.set(row, person)
    }
  }
  return { byRow, unsure, unknown, absent: people.filter((person) => !seen.has(person)) }
}
