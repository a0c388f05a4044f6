import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { Markdown, useMarkdownSoon } from '../../components/markdown/markdown.tsx'
import { Page } from '../../components/page/page.tsx'
import { NotFoundPage } from '../../layout/not-found-page.tsx'
import { useLocale } from '../../lib/format/i18n.ts'
import { paths } from '../../paths.ts'
import classes from './guide.module.css'
import { GUIDE_PARTS } from './guide-parts.tsx'
import { guideQuery, GUIDES } from './guides.ts'

/** The links to all guides. */
function GuideLinks({ current }: { current: string }) {
  const { t } = useTranslation()
  return (
    <Group component="nav" aria-label={t('nav.help')} gap="6px 20px" className="app-screen-only">
      {GUIDES.map((name) => (
        <Anchor
          key={name}
          component={Link}
          to={paths.help(name)}
          fw={name === current ? 600 : undefined}
          aria-current={name === current ? 'page' : undefined}
        >
          {t(`help.${name}`)}
        </Anchor>
      ))}
    </Group>
  )
}

/** `/help/:guide`: a page of `docs/`, and links to the guides. */
export function HelpPage() {
  useMarkdownSoon()
  const { t } = useTranslation()
  const locale = useLocale()
  const { guide: name = '' } = useParams()
  const guide = useQuery(guideQuery(name))
  if (guide.data === null) return <NotFoundPage />
  const offered = GUIDES.find((one) => one === name)
  return (
    <Page title={offered ? t(`help.${offered}`) : (guide.data?.title ?? t('nav.help'))}>
      <Stack maw={860}>
        <GuideLinks current={name} />
        {locale === 'english' ? null : <Text c="dimmed">{t('help.inEnglish')}</Text>}
        {guide.isPending ? <Skeleton height={600} /> : null}
        <ErrorBox of={guide} />
        {guide.data ? (
          <div lang="en" className={classes.guide}>
            <Markdown key={name} text={guide.data.text} parts={GUIDE_PARTS} />
          </div>
        ) : null}
      </Stack>
    </Page>
  )
}
