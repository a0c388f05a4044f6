/** The people of the demo course. These logins exist on a developer's machine only. */

export const DEMO_PASSWORD = 'demo-password'

/** The first account of a local installation, which makes all other accounts. */
export const DEMO_ADMIN = {
  username: 'admin',
  password: DEMO_PASSWORD,
  displayedName: 'Admin',
} as const

/** Rows of the batch sign-up, as its CSV has them; role 1 is teacher, 2 is student. */
export const DEMO_PEOPLE = [
  { username: 'teacher', displayedName: 'Teacher', role: 1 },
  { username: 'ta', displayedName: 'Teaching assistant', role: 2 },
  { username: 'student', displayedName: 'Student', role: 2 },
  { username: 'student2', displayedName: 'Student 2', role: 2 },
  { username: 'student3', displayedName: 'Student 3', role: 2 },
  { username: 'student4', displayedName: 'Student 4', role: 2 },
] as const
