import { Alert } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GradebookColumn } from '#contract/gradebook'
import { FileDrop } from '../../../components/forms/file-drop.tsx'
import { Section } from '../../../components/page/section.tsx'
import { formatBytes } from '../../../lib/format/format.ts'
import { GRADEBOOK_FILE_BYTES } from '../../../lib/gradebook-files/decode.ts'
import type { MarkedPerson } from '../../../lib/gradebook-files/fill.ts'
import { openGradebook, type OpenRefusal } from '../../../lib/gradebook-files/open.ts'
import { OpenedPanel } from './opened-panel.tsx'
import type { PickedFile } from './use-opened-file.ts'

/** Why a file was not opened, and what helps. */
export function RefusalNote({ name, refusal }: { name: string; refusal: OpenRefusal }) {
  const { t } = useTranslation()
  const row = 'row' in refusal ? refusal.row : 0
  const limit = formatBytes(GRADEBOOK_FILE_BYTES)
  return (
    <Alert color="red" mt="md" role="alert">
      {t(`gradebook.files.refused.${refusal.why}`, { name, row, limit })}
    </Alert>
  )
}

interface FileSectionProps {
  people: readonly MarkedPerson[]
  columns: readonly GradebookColumn[]
}

/** Takes a file of another system; the file stays in the browser. */
export function FileSection({ people, columns }: FileSectionProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<PickedFile | null>(null)
  const [refused, setRefused] = useState<{ name: string; refusal: OpenRefusal } | null>(null)
  const [pick, setPick] = useState(0)

  function refuse(name: string, refusal: OpenRefusal) {
    setOpened(null)
    setRefused({ name, refusal })
  }

  async function open(picked: File) {
    const { name } = picked
    const file = openGradebook(new Uint8Array(await picked.arrayBuffer()))
    if ('why' in file) return refuse(name, file)
    setOpened({ name, file })
    setRefused(null)
    setPick((before) => before + 1)
  }

  return (
    <Section title={t('gradebook.files.file')} help={t('gradebook.files.help')}>
      <FileDrop
        label={t('gradebook.files.file')}
        prompt={t('gradebook.files.drop')}
        maxSize={GRADEBOOK_FILE_BYTES}
        icon={<IconFileSpreadsheet size={26} stroke={1.5} aria-hidden="true" />}
        onFile={(file) => void open(file)}
        onReject={() => refuse('', { why: 'tooLarge' })}
      >
        {opened?.name ?? t('gradebook.files.drop')}
      </FileDrop>
      {refused === null ? null : <RefusalNote {...refused} />}
      {opened === null ? null : (
        <OpenedPanel key={pick} picked={opened} people={people} columns={columns} />
      )}
    </Section>
  )
}
