import { IconChecklist } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { SETUP_ITEMS } from '#contract/installation/setup'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Section } from '../../components/page/section.tsx'
import { setupQuery } from '../../lib/queries/setup.ts'
import { paths } from '../../paths.ts'

/**
 * Links an admin to the set-up page while something essential is missing. @param placeholder shown until the state of
 * the set-up is read
 */
export function SetupNotice({ placeholder }: { placeholder: ReactNode }) {
  const { t } = useTranslation()
  const setup = useQuery(setupQuery)
  if (setup.isPending && setup.fetchStatus !== 'paused') return placeholder
  const count = (setup.data ?? []).filter(
    ({ item, state }) => state !== 'done' && SETUP_ITEMS[item].essential,
  ).length
  if (count === 0) return null
  return (
    <Section title={t('home.notReady')} help={t('home.missing', { count })}>
      <LinkButton to={paths.setup()} Icon={IconChecklist} label={t('nav.setup')} variant="filled" />
    </Section>
  )
}
