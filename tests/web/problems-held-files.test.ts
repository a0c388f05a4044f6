/** The texts of a new problem; their images are stored after the problem. */
import { describe, expect, it } from 'vitest'
import { problemFileAddress } from '#contract/problems/file-address'
import { emptyProblem } from '../../web/features/problems/edit/form-values.ts'
import { withoutFiles, withStoredFile } from '../../web/features/problems/edit/held-texts.ts'
import { markdownOf } from '../../web/features/problems/edit/use-problem-files.ts'
import { apiUrl } from '../../web/lib/api/api.ts'
import { fileUrl, holdFile, releaseFile } from '../../web/lib/files/held-files.ts'
import { idOf } from './fixtures/rendered.tsx'

const image = (fileId: string, name = 'a [1].png') =>
  markdownOf({ fileId, name, type: 'image/png', size: 1 })

describe('the texts of a statement', () => {
  const texts = {
    ...emptyProblem(),
    description: `See ${image(idOf(1))} and ${image(idOf(1))}, not ${image(idOf(2))}.`,
    hint: `[a](${problemFileAddress(idOf(1))})`,
  }

  it('name a file by its stored address once that is known', () => {
    const stored = withStoredFile(texts, idOf(1), idOf(9))
    expect(stored).toEqual({
      description: `See ${image(idOf(9))} and ${image(idOf(9))}, not ${image(idOf(2))}.`,
      input: '',
      output: '',
      hint: `[a](${problemFileAddress(idOf(9))})`,
    })
  })

  it('are kept for a reload without the files that it loses', () => {
    expect(withoutFiles(texts, [idOf(1)])).toMatchObject({
      description: `See  and , not ${image(idOf(2))}.`,
      hint: '',
    })
    expect(withoutFiles(texts, [])).toMatchObject({ description: texts.description })
  })
})

it('a file that is held is shown from the browser, a stored one from the API', () => {
  const fileId = holdFile(new Blob(['x']))
  const path = `/file/${fileId}`
  expect(problemFileAddress(fileId)).toMatch(/^\/api\/file\/[0-9a-f]{24}$/)
  expect(fileUrl(path)).toMatch(/^blob:/)
  releaseFile(fileId)
  expect(fileUrl(path)).toBe(apiUrl(path))
})
