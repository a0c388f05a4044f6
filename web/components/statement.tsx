import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ProblemDescription } from '#contract/problems'
import { CopyButton } from './copy-button.tsx'
import { Markdown } from './markdown.tsx'
import classes from './statement.module.css'

const BEFORE_SAMPLES = ['description', 'input', 'output'] as const

function SampleText({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation()
  return (
    <figure className={classes.sample}>
      <figcaption>
        {label}
        <CopyButton text={text} label={t('problem.copy', { what: label })} />
      </figcaption>
      {/* It scrolls when a line is long; the keyboard must reach it then. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  )
}

/** A problem's statement with its samples, byte for byte. */
export function Statement({ description }: { description: ProblemDescription }) {
  const { t } = useTranslation()
  return (
    <>
      {BEFORE_SAMPLES.filter((part) => description[part].trim() !== '').map((part) => (
        <section key={part} className={classes.part}>
          <Title order={2}>{t(`problem.${part}`)}</Title>
          <Markdown text={description[part]} />
        </section>
      ))}
      {description.sampleInput.length > 0 ? (
        <section className={classes.part}>
          <Title order={2}>{t('problem.samples')}</Title>
          {description.sampleInput.map((input, index) => (
            // Samples are known by their position.
            // eslint-disable-next-line react/no-array-index-key
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
