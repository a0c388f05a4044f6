/** The file AUTHORS at the project's root: maintainers and contributors, whom the about page shows. */

interface Author {
  name: string
  /** The person's web page; mail addresses are not shown. */
  link: string | null
}

interface Authors {
  maintainers: Author[]
  contributors: Author[]
}

/**
 * Reads the file: one person a line as `Name <https://page>`, below `# Maintainers` or `# Contributors`;
 * a person below neither is a contributor.
 */
export function parseAuthors(text: string): Authors {
  const authors: Authors = { maintainers: [], contributors: [] }
  let list: keyof Authors = 'contributors'
  for (const line of text.split(/\r?\n/).map((line) => line.trim())) {
    if (line.startsWith('#')) list = /maintainer/i.test(line) ? 'maintainers' : 'contributors'
    else if (line !== '') {
      const [, name = line, mark = ''] = /^(.*?)\s*<([^>]*)>$/.exec(line) ?? []
      authors[list].push({ name, link: /^https?:\/\//.test(mark) ? mark : null })
    }
  }
  return authors
}
