/** How the elements of a Markdown text are shown. */
import type { Components } from 'react-markdown'

export const markdownParts: Components = {
  // Headings of a text stand below the page's own.
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ children, href, title }) => (
    <a href={href} title={title} rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  img: ({ src, alt, title }) => <img src={src} alt={alt ?? ''} title={title} loading="lazy" />,
  // A wide table scrolls by itself; the keyboard must reach it then.
  table: ({ children }) => (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  // The same for long lines of code.
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
}
