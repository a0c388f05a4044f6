import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCopy, IconMail } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { HomeworkStatistics } from '#contract/gradebook'
import { Person } from '../../components/display/person.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Section } from '../../components/page/section.tsx'
import { serverNowMs } from '../../lib/live/server-clock.ts'
import { useCourse } from '../../lib/queries/course.ts'

/** So long before the due time the list appears. */
const BEFORE_SECONDS = 2 * 86_400

/** Mail programs break longer links. */
const MOST_IN_LINK = 40

/** The link to a mail whose receivers do not see each other. */
function mailLink(emails: readonly string[]): string {
  return `mailto:?bcc=${emails.map(encodeURIComponent).join(',')}`
}

/** Copies the addresses, and opens a mail to them where they are few. */
function WriteToThem({ emails }: { emails: readonly string[] }) {
  const { t } = useTranslation()
  const clipboard = useClipboard()
  const copy = () => clipboard.copy(emails.join(', '))
  return (
    <>
      {emails.length > MOST_IN_LINK ? (
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden="true" />}
          onClick={copy}
        >
          {t('homeworkStats.copyAddresses', { count: emails.length })}
        </Button>
      ) : (
        <Button
          component="a"
          href={mailLink(emails)}
          variant="default"
          leftSection={<IconMail size={16} aria-hidden="true" />}
          onClick={copy}
        >
          {t('homeworkStats.write')}
        </Button>
      )}
      <output>{clipboard.copied ? t('homeworkStats.copied') : null}</output>
    </>
  )
}

type Someone = HomeworkStatistics['notBegun'][number]

interface NotBegunProps {
  /** When the homework is due for all; epoch seconds. */
  due: number
  people: Someone[]
}

/** Who has handed in nothing, shortly before the due time and later. */
export function NotBegun({ due, people }: NotBegunProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  if (people.length === 0 || serverNowMs() / 1_000 < due - BEFORE_SECONDS) return null
  const title = t('homeworkStats.notBegun', { count: people.length })
  const emails = people.flatMap(({ email }) => email ?? [])
  // Other staff see no addresses of members.
  const seesAddresses = may('members.manage')
  const without = seesAddresses ? people.filter(({ email }) => email === null) : []
  return (
    <Section
      title={title}
      help={t('homeworkStats.notBegunHelp')}
      actions={emails.length > 0 ? <WriteToThem emails={emails} /> : null}
    >
      <ListTable
        label={title}
        columns={[
          { head: t('scoreboard.student'), renderCell: ({ user }) => <Person user={user} /> },
          ...(seesAddresses
            ? [{ head: t('profile.email'), renderCell: ({ email }: Someone) => email }]
            : []),
        ]}
        rows={people}
        keyOf={({ user }) => user.username}
      />
      {without.length === 0 ? null : (
        <p>
          {t('homeworkStats.withoutAddress', {
            names: without.map(({ user }) => user.displayedName || user.username).join(', '),
          })}
        </p>
      )}
    </Section>
  )
}
