import { Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { ProblemFile } from '#contract/problems/problem-files'
import { MarkdownField } from '../../../components/markdown/markdown-field.tsx'
import { FileFields } from './file-fields.tsx'
import type { ProblemValues } from './form-values.ts'
import { markdownOf, useProblemFiles } from './use-problem-files.ts'

const PARTS = ['description', 'input', 'output', 'hint'] as const

interface StatementPartsProps {
  form: UseFormReturnType<ProblemValues>
  onFile?: (file: File) => Promise<string>
}

function StatementParts({ form, onFile }: StatementPartsProps) {
  const { t } = useTranslation()
  return PARTS.map((part) => (
    <MarkdownField
      key={part}
      label={t(`problem.${part}`)}
      minRows={part === 'description' ? 8 : 3}
      value={form.values[part]}
      onChange={(value) => form.setFieldValue(part, value)}
      onFile={onFile}
      notesImages
      error={form.errors[`description.${part}`]}
    />
  ))
}

interface StatementFieldsProps extends StatementPartsProps {
  problemId: number
  /** Its files when the form was opened. */
  files: ProblemFile[]
}

/** The statement's parts, each with its preview, and its files. */
export function StatementFields({ form, problemId, files }: StatementFieldsProps) {
  const problemFiles = useProblemFiles(problemId, files)
  return (
    <>
      <StatementParts
        form={form}
        onFile={async (file) => markdownOf(await problemFiles.add(file))}
      />
      <FileFields problemFiles={problemFiles} texts={PARTS.map((part) => form.values[part])} />
    </>
  )
}

/** The same for a problem that does not exist yet: nothing to add files to. */
export function NewStatementFields({ form }: Pick<StatementFieldsProps, 'form'>) {
  const { t } = useTranslation()
  return (
    <>
      <StatementParts form={form} />
      <Text size="sm" c="dimmed">
        {t('problemFiles.saveFirst')}
      </Text>
    </>
  )
}
