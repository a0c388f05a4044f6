/** The table of rights decides everywhere: lists, single reads, pages, hints, limits and writes follow its changes. */
import { beforeAll, describe, expect, test } from 'vitest'
import { can, CAPABILITIES, type Capability, type Standing } from '#contract/roles'
import { TRIALS } from '../support/rights-trials.ts'
import { createRightsWorld, type RightsWorld } from '../support/rights-world.ts'

const sources = import.meta.glob('../../../worker/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Runs some work while a standing has a right that it lacks, or lacks a right that it has. */
async function withOtherRight<T>(
  capability: Capability,
  standing: Standing,
  work: () => Promise<T>,
): Promise<T> {
  const row: Standing[] = CAPABILITIES[capability]
  const before = [...row]
  const after = can(standing, capability)
    ? before.filter((each) => each !== standing)
    : [...before, standing]
  row.splice(0, row.length, ...after)
  try {
    return await work()
  } finally {
    row.splice(0, row.length, ...before)
  }
}

const CASES = Object.entries(TRIALS).flatMap(([capability, { standings, probes }]) =>
  standings.map((standing) => ({ capability: capability as Capability, standing, probes })),
)

describe('a right that is given or taken', () => {
  let world: RightsWorld
  beforeAll(async () => {
    world = await createRightsWorld()
  })

  test.each(CASES)(
    '$capability of $standing opens and closes everything that asks for it',
    async ({ capability, standing, probes }) => {
      const as = world.personWith(standing)
      const tryAll = async () => {
        const answers: Record<string, boolean> = {}
        for (const [name, probe] of Object.entries(probes))
          answers[name] = await probe(world, as, standing)
        return answers
      }
      const may = can(standing, capability)
      const all = (answer: boolean) =>
        Object.fromEntries(Object.keys(probes).map((name) => [name, answer]))
      expect(await tryAll()).toEqual(all(may))
      expect(await withOtherRight(capability, standing, tryAll)).toEqual(all(!may))
    },
  )
})

test('every capability that a statement asks for is tried', () => {
  const asks =
    /\b(?:rolesThatCan|standingsThatCan|standingCan|membershipCan|selectOwnCourses|isWhere|mayInCourse|maySomewhere|tellCourse)\((?:[^()]|\([^()]*\))*?'([a-z]+\.\w+)'/g
  const asked = Object.values(sources).flatMap((text) =>
    [...text.matchAll(asks)].map(([, capability]) => capability),
  )
  expect(asked).toContain('submission.readAll')
  expect([...new Set(asked)].filter((capability) => !(`${capability}` in TRIALS))).toEqual([])
})
