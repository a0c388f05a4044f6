/** Points that staff gave, as they are sent. */
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { GivenPoints } from '#contract/homework-overrides'
import { aliasColumns } from './client.ts'
import { FIRST_KEY } from './people.ts'
import { staffPoints, users } from './schema.ts'
import { scalar } from './statements.ts'

const giver = alias(users, 'giver')

/** The columns of `staffPoints` that `toGivenPoints` reads. */
export const givenColumns = {
  ...aliasColumns({
    hundredths: staffPoints.hundredths,
    comment: staffPoints.comment,
    at: staffPoints.givenAt,
  }),
  by: scalar<string | null>(sql`select ${giver.username} from ${users} ${giver}
    where ${giver.id} = ${staffPoints.giverId} and ${giver.usernameKey} >= ${FIRST_KEY}`).as('by'),
}

/** A row of `givenColumns`. */
interface GivenRow extends Omit<GivenPoints, 'points'> {
  hundredths: number
}

/** Row → contract. */
export function toGivenPoints({ hundredths, comment, by, at }: GivenRow): GivenPoints {
  return { points: hundredths / 100, comment, by, at }
}
