import { ActionIcon, Anchor, Group, Text, Title } from '@mantine/core'
import { IconDownload, IconPaperclip } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { problemFilePath } from '#contract/problems/file-address'
import { PDF, type ProblemFile } from '#contract/problems/problem-files'
import type { ProblemDescription } from '#contract/problems'
import { apiUrl } from '../../lib/api/api.ts'
import { download } from '../../lib/files/download.ts'
import { formatBytes } from '../../lib/format/format.ts'
import { CopyButton } from '../page/copy-button.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import box from '../code/text-box.module.css'
import classes from './statement.module.css'

const BEFORE_SAMPLES = ['description', 'input', 'output'] as const

function SampleText({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation()
  return (
    <figure className={box.box}>
      <figcaption>
        {label}
        <CopyButton text={text} label={t('problem.copy', { what: label })} />
      </figcaption>
      {/* Long lines scroll; the keyboard must reach them. */}
      <pre className={classes.sample} tabIndex={0}>
        {text}
      </pre>
    </figure>
  )
}

interface StatementProps {
  description: ProblemDescription
  /** Names the file of the samples. */
  name: string
  files: ProblemFile[]
}

function Attachment({ file: { fileId, name, size } }: { file: ProblemFile }) {
  return (
    <p className={classes.attachment}>
      <IconPaperclip size={16} aria-hidden="true" />
      <Anchor href={apiUrl(problemFilePath(fileId))}>{name}</Anchor>
      <Text span fz="0.8125rem" c="dimmed">
        {formatBytes(size)}
      </Text>
    </p>
  )
}

/** A problem's statement with its samples, byte for byte. */
export function Statement({ description, name, files }: StatementProps) {
  const { t } = useTranslation()

  async function downloadSamples() {
    const { sampleZip } = await import('./sample-zip.ts')
    download(`${name}.zip`, await sampleZip(description), 'application/zip')
  }

  return (
    <>
      {files
        .filter(({ type }) => type === PDF)
        .map((file) => (
          <Attachment key={file.fileId} file={file} />
        ))}
      {BEFORE_SAMPLES.filter((part) => description[part].trim() !== '').map((part) => (
        <section key={part} className={classes.part}>
          <Title order={2}>{t(`problem.${part}`)}</Title>
          <Markdown text={description[part]} />
        </section>
      ))}
      {description.sampleInput.length > 0 ? (
        <section className={classes.part}>
          <Group gap={6} mb={8}>
            <Title order={2} mb={0}>
              {t('problem.samples')}
            </Title>
            <ActionIcon
              aria-label={t('problem.samplesZip')}
              title={t('problem.samplesZip')}
              onClick={() => void downloadSamples()}
            >
              <IconDownload size={17} />
            </ActionIcon>
          </Group>
          {description.sampleInput.map((input, index) => (
            // Samples are identified by their position.
            <div key={index} className={classes.pair}>
              <SampleText
                text={input}
                label={t('problemForm.sampleInput', { number: index + 1 })}
              />
              <SampleText
                text={description.sampleOutput[index] ?? ''}
                label={t('problemForm.sampleOutput', { number: index + 1 })}
              />
            </div>
          ))}
        </section>
      ) : null}
      {description.hint.trim() === '' ? null : (
        <section className={classes.part}>
          <Title order={2}>{t('problem.hint')}</Title>
          <Markdown text={description.hint} />
        </section>
      )}
    </>
  )
}
