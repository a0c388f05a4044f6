import { ActionIcon, Anchor, Text } from '@mantine/core'
import { IconPaperclip, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { problemFilePath } from '#contract/problems/file-address'
import { PDF, type ProblemFile } from '#contract/problems/problem-files'
import { CopyButton } from '../../../components/page/copy-button.tsx'
import { ErrorBox } from '../../../components/feedback/error-box.tsx'
import { FilePickButton } from '../../../components/forms/file-pick-button.tsx'
import { Row, RowList } from '../../../components/lists/row-list.tsx'
import { askToConfirm } from '../../../lib/confirm.ts'
import { fileUrl } from '../../../lib/files/held-files.ts'
import { formatBytes } from '../../../lib/format/format.ts'
import { markdownOf, type ProblemFiles } from './use-problem-files.ts'

interface FileRowProps {
  file: ProblemFile
  /** Whether a text of the statement shows the file, which then cannot be deleted. */
  isShown: boolean
  onRemove: () => void
}

function FileRow({ file, isShown, onRemove }: FileRowProps) {
  const { t } = useTranslation()
  const { fileId, name, type, size } = file
  return (
    <Row
      title={
        <Anchor href={fileUrl(problemFilePath(fileId))} target="_blank" rel="noopener">
          {name}
        </Anchor>
      }
      facts={
        <>
          <span>{formatBytes(size)}</span>
          {type === PDF ? <span>{t('problemFiles.attached')}</span> : null}
          {isShown ? <span>{t('problemFiles.shown')}</span> : null}
        </>
      }
      action={
        <>
          <CopyButton text={markdownOf(file)} label={t('problemFiles.copy', { name })} />
          <ActionIcon
            aria-label={t('problemFiles.remove', { name })}
            title={t('problemFiles.remove', { name })}
            disabled={isShown}
            onClick={onRemove}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </>
      }
    />
  )
}

interface FileFieldsProps {
  problemFiles: ProblemFiles
  /** Says when the files are stored, and what happens to them. */
  help: string
  /** The statement's texts. */
  texts: string[]
}

/** The images and PDFs of a statement. */
export function FileFields({ problemFiles, help, texts }: FileFieldsProps) {
  const { files, add, remove } = problemFiles
  const { t } = useTranslation()
  const change = useMutation({ mutationFn: (step: () => Promise<unknown>) => step() })

  async function askAndRemove(file: ProblemFile) {
    const isSure = await askToConfirm({
      title: t('problemFiles.confirmRemove.title', { name: file.name }),
      text: t('problemFiles.confirmRemove.text'),
      label: t('problemForm.removeRow'),
    })
    if (isSure) change.mutate(() => remove(file))
  }

  return (
    <div>
      <Text size="sm" fw={500}>
        {t('problemFiles.title')}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {help}
      </Text>
      <RowList>
        {files.map((file) => (
          <FileRow
            key={file.fileId}
            file={file}
            isShown={texts.some((text) => text.includes(file.fileId))}
            onRemove={() => void askAndRemove(file)}
          />
        ))}
      </RowList>
      <FilePickButton
        accept="image/png,image/jpeg,image/gif,image/webp,application/pdf"
        icon={<IconPaperclip size={16} aria-hidden="true" />}
        onPick={(file) => change.mutate(() => add(file))}
      >
        {t('problemFiles.add')}
      </FilePickButton>
      <ErrorBox of={change} />
    </div>
  )
}
