/** A file's text, as vite gives it. */
declare module '*?raw' {
  const text: string
  export default text
}

interface ImportMeta {
  /** The texts of all files that match, by path from the file that asks, as vite gives them. */
  glob(
    pattern: string,
    options: { query: '?raw'; import: 'default'; eager: true },
  ): Record<string, string>
}
