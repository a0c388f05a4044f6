import { Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowRight, IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { SETUP_ITEMS, type SetupItem, type SetupItemName } from '#contract/installation/setup'
import { LinkButton } from '../../components/page/link-button.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import english from '../../i18n/english.json'
import { paths } from '../../paths.ts'
import classes from './setup-list.module.css'
import { isTried, Trial } from './trial.tsx'

const ICONS = { done: IconCircleCheck, open: IconCircle, failed: IconAlertTriangle } as const

/** The page on which an item is done. */
const PAGES: Partial<Record<SetupItemName, [to: string, label: 'dashboard' | 'user' | 'course']>> =
  {
    host: [paths.dashboard(), 'dashboard'],
    teacher: [paths.users(), 'user'],
    course: [paths.newCourse(), 'course'],
  }

/** One thing to do, with its mark. */
function Item({ item, state, at, lacks, waiting }: SetupItem) {
  const { t } = useTranslation()
  const Icon = ICONS[state]
  const isDone = state === 'done'
  const page = PAGES[item]
  return (
    <li className={classes.item} data-state={state}>
      <Icon className={classes.icon} aria-hidden="true" />
      <Stack align="flex-start" gap={8} flex={1} miw={0} maw="70ch">
        <h3 className={classes.title}>
          {t(`setup.item.${item}`)}
          <span className={classes.state}>
            {state === 'open' && !SETUP_ITEMS[item].essential
              ? t('setup.state.optional')
              : t(`setup.state.${state}`)}
          </span>
        </h3>
        {isDone ? null : <Text size="sm">{t(`setup.help.${item}`)}</Text>}
        {lacks.map(({ name, fix }) => (
          <Text key={name} size="sm" className={classes.fix}>
            {name in english.fix ? t(`fix.${name as keyof typeof english.fix}`) : fix}
          </Text>
        ))}
        {waiting ? (
          <Text size="sm">
            {t('setup.waiting', { mails: waiting.mails })} <TimeText at={waiting.until} />
          </Text>
        ) : null}
        {at === null ? null : (
          <Text size="xs" c="dimmed">
            {t('setup.last')} <TimeText at={at} relative />
          </Text>
        )}
        {isTried(item) ? <Trial item={item} disabled={lacks.length > 0} /> : null}
        {page === undefined || isDone ? null : (
          <LinkButton to={page[0]} Icon={IconArrowRight} label={t(`setup.page.${page[1]}`)} />
        )}
      </Stack>
    </li>
  )
}

/** What the installation needs; each item has a mark. */
export function SetupList({ items }: { items: SetupItem[] }) {
  return (
    <ul className="app-list">
      {items.map((item) => (
        <Item key={item.item} {...item} />
      ))}
    </ul>
  )
}
