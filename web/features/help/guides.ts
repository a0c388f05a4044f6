/** The pages of `docs/`, each a file of its own in the build, loaded when it is opened. */
const LOADERS = import.meta.glob<string>('../../../docs/*.md', { query: '?raw', import: 'default' })

/** The listed pages, in this order; their links lead to the other pages. */
export const GUIDES = [
  'students-guide',
  'teachers-guide',
  'operators-guide',
  'api',
  'runner-protocol',
] as const

/** Reads a page: its first heading, and the Markdown below. `name` is the file's; null: there is no such file. */
async function readGuide(name: string): Promise<{ title: string; text: string } | null> {
  const text = await LOADERS[`../../../docs/${name}.md`]?.()
  if (text === undefined) return null
  const [heading = ''] = text.split('\n', 1)
  return { title: heading.replace('# ', ''), text: text.slice(heading.length) }
}

/** Options of react-query that read a page of `docs/` by its name. */
export function guideQuery(name: string) {
  return { queryKey: ['guide', name], queryFn: async () => readGuide(name), staleTime: Infinity }
}
