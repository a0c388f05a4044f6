/** The columns of a file of members. */

/** What a column may mean. The given and the family name together make the displayed name. */
export const FIELDS = [
  'username',
  'email',
  'displayedName',
  'givenName',
  'familyName',
  'password',
  'role',
  'labels',
] as const
export type Field = (typeof FIELDS)[number]
