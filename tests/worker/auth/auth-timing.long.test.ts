/** The time of a refused sign-in reveals nothing. */
import { expect, test } from 'vitest'
import { runSql } from '../support/sql.ts'
import { createPerson, signIn } from '../support/world.ts'

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}

/** Hash of `demo-password` by the old scheme: one scrypt. */
const OLD_HASH =
  '$scrypt$ln=14,r=8,p=5$AAAAAAAAAAAAAAAAAAAAAA$mnB3IBDia2fgdmf3cEL3ZfW+2o33zXLay2/Uw90dFX0'

test('a wrong password takes as long as an unknown name, also where its hash is an older one [AU1]', async () => {
  const person = await createPerson(2)
  const older = await createPerson(2)
  await runSql`update users set password_hash = ${OLD_HASH} where id = ${older.id}`
  const times = {
    known: new Array<number>(),
    old: new Array<number>(),
    unknown: new Array<number>(),
  }
  const measure = async (kind: keyof typeof times, username: string, index: number) => {
    const start = performance.now()
    await signIn(username, 'wrong password', { 'CF-Connecting-IP': `10.${kind.length}.1.${index}` })
    times[kind].push(performance.now() - start)
  }
  // In turns, so that other work of the machine slows all alike. Without a hash the ratio is above 50; a benchmark checks
  // that it is within 10 %.
  for (let round = 0; round < 15; round += 1) {
    await measure('known', person.username, round)
    await measure('old', older.username, round)
    await measure('unknown', `nobody${round}`, round)
  }
  for (const kind of ['known', 'old'] as const) {
    const ratio = median(times[kind]) / median(times.unknown)
    expect(ratio).toBeGreaterThan(0.3)
    expect(ratio).toBeLessThan(3)
  }
})
