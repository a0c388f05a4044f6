/**
 * Submissions of one person to one problem. `kept`: how many are part of their summary, which is written as
 * a whole. `read`: homeworks and scoreboards of people who have made more look at the newest of their time,
 * more than anybody makes by hand.
 */
export const ATTEMPTS = { kept: 50, read: 1_000 } as const
