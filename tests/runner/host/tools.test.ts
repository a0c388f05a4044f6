import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cpp } from '#contract/languages/cpp'
import { prepareTools } from '../../../runner/host/tools.ts'
import { TOOLS_DIR } from '../set-up.ts'

const { compiler, flags, headers } = cpp.precompiled

test.each(headers)('a source that begins with %s reads the precompiled one', async (header) => {
  const tools = await prepareTools(TOOLS_DIR, () => {})
  const include = join(tools ?? '', 'include')
  // With -H, gcc marks a precompiled header that it uses with "!" (gcc manual, Preprocessor Options).
  const argv = [...flags, '-H', '-fsyntax-only', `-I${include}`, '-x', 'c++', '-']
  const input = `#include <${header}>\nint main() { std::cout << "x"; }\n`
  const { stderr } = spawnSync(compiler, argv, { input, encoding: 'utf8' })
  expect(stderr).toContain(`! ${include}/${header}.gch/cpp`)
})
