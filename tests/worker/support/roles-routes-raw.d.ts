/** A file's text, as vite gives it. */
declare module '*?raw' {
  const text: string
  export default text
}
