/** /openapi.json and /docs: the API describes itself. */
import packageJson from '../../../package.json' with { type: 'json' }
import { route } from '../../http/route.ts'
import { openApiDocument } from './document.ts'
import { referencePage } from './page.ts'

/** Both texts are constant, so each is made once, at its first call, which keeps the start of the Worker short. */
let document: string | undefined
let page: Promise<string> | undefined

const HEADERS = { 'Cache-Control': 'public, max-age=300' }

export const openapi = [
  route('GET /openapi.json', (c) => {
    document ??= JSON.stringify(openApiDocument(packageJson.version))
    return c.body(document, 200, { ...HEADERS, 'Content-Type': 'application/json; charset=UTF-8' })
  }),
  route('GET /docs', async (c) => {
    page ??= referencePage(packageJson.version)
    return c.html(await page, 200, HEADERS)
  }),
]
