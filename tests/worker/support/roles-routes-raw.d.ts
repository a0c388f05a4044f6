/** The text of a file, as vite imports it. */
declare module '*?raw' {
  const text: string
  export default text
}

interface ImportMeta {
  /** The texts of all matching files, by path from the importing file, as vite gives them. */
  glob(
    pattern: string,
    options: { query: '?raw'; import: 'default'; eager: true },
  ): Record<string, string>
}
