export interface Mutation {
  /** What goes wrong. */
  name: string
  file: string
  /** A text that stands once in the file, and what takes its place. */
  from: string
  to: string
  /** The file or folder whose tests have to see it. */
  tests: string
}
