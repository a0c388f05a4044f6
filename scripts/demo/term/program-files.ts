/** Reads the programs of the demo's students. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../root.ts'
import { readPrograms, type Programs } from './programs.ts'

const PROGRAMS = join(ROOT, 'scripts/demo/programs')

/** The programs of all problems. */
export function termPrograms(): Programs {
  const paths = readdirSync(PROGRAMS, { recursive: true, encoding: 'utf8' })
  const files = paths
    .filter((path) => path.includes('.'))
    .toSorted()
    .map(
      (path) => [path.replaceAll('\\', '/'), readFileSync(join(PROGRAMS, path), 'utf8')] as const,
    )
  return readPrograms(new Map(files))
}
