import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { ProblemFile } from '#contract/problems/problem-files'
import { MarkdownField } from '../../../components/markdown/markdown-field.tsx'
import { STATEMENT_PARTS } from './held-texts.ts'
import { FileFields } from './file-fields.tsx'
import type { ProblemValues } from './form-values.ts'
import type { HeldFiles } from './use-held-files.ts'
import { markdownOf, useProblemFiles, type ProblemFiles } from './use-problem-files.ts'

interface StatementPartsProps {
  form: UseFormReturnType<ProblemValues>
  problemFiles: ProblemFiles
  /** Says when its files are stored, and what happens to them. */
  help: string
}

/** The statement's parts, each with its preview, and its files. */
function StatementParts({ form, problemFiles, help }: StatementPartsProps) {
  const { t } = useTranslation()
  return (
    <>
      {STATEMENT_PARTS.map((part) => (
        <MarkdownField
          key={part}
          label={t(`problem.${part}`)}
          minRows={part === 'description' ? 8 : 3}
          value={form.values[part]}
          onChange={(value) => form.setFieldValue(part, value)}
          onFile={async (file) => markdownOf(await problemFiles.add(file))}
          notesImages
          error={form.errors[`description.${part}`]}
        />
      ))}
      <FileFields
        problemFiles={problemFiles}
        help={help}
        texts={STATEMENT_PARTS.map((part) => form.values[part])}
      />
    </>
  )
}

interface StatementFieldsProps extends Pick<StatementPartsProps, 'form'> {
  problemId: number
  /** The statement's files when the form was opened. */
  files: ProblemFile[]
}

/** The statement of a stored problem. */
export function StatementFields({ form, problemId, files }: StatementFieldsProps) {
  const { t } = useTranslation()
  const problemFiles = useProblemFiles(problemId, files)
  return <StatementParts form={form} problemFiles={problemFiles} help={t('problemFiles.help')} />
}

interface NewStatementFieldsProps extends Pick<StatementPartsProps, 'form'> {
  held: HeldFiles
}

/** The statement of a problem that does not exist yet; the page holds the statement's files until the problem exists. */
export function NewStatementFields({ form, held }: NewStatementFieldsProps) {
  const { t } = useTranslation()
  return <StatementParts form={form} problemFiles={held} help={t('problemFiles.helpNew')} />
}
