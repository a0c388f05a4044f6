/** `node tests/worker/support/roles-routes-readme.ts` writes the roles × routes table into `worker/README.md`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolesRoutesMarkdown } from './roles-routes.ts'

const file = join(import.meta.dirname, '../../../worker/README.md')
const [before = ''] = readFileSync(file, 'utf8').split('\n## Roles × routes')
writeFileSync(
  file,
  `${before.trimEnd()}

## Roles × routes

The table shows how every route answers a correct call, by caller. The answers follow from the table of calls (\`contract/calls/\`), and a test makes every one of
these calls. An \`outsider\` is a student of no course; \`other\` is the teacher of another course.

${rolesRoutesMarkdown()}
`,
)
