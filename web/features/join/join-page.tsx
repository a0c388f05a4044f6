import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { Joined } from '#contract/joining'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { Page } from '../../components/page/page.tsx'
import { isNotFound } from '../../lib/api/api-error.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { useNavigateFromHere } from '../../lib/navigation/navigate-from-here.ts'
import { paths } from '../../paths.ts'
import { offerQuery } from './api.ts'
import { CodeForm } from './code-form.tsx'
import { codeOfHash, pathAfterJoining, withCode } from './join-rules.ts'
import { Offer } from './offer.tsx'
import { Refusal, Told } from './told.tsx'

/** The code of the address. It stays there, so that a reload works; a jump within the page does not lose it. */
function useCode() {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const [seen, setSeen] = useState(hash)
  const [code, setCode] = useState(() => codeOfHash(hash))
  if (hash !== seen) {
    setSeen(hash)
    setCode(codeOfHash(hash) ?? code)
  }
  return {
    code,
    open: (typed: string) => void navigate(withCode(search, typed)),
    drop() {
      setCode(null)
      void navigate(paths.join() + search, { replace: true })
    },
  }
}

/** Reads the course of a code, lets people in, and leads them on. */
function OfferOf({ code, onOtherCode }: { code: string; onOtherCode: () => void }) {
  const { t } = useTranslation()
  const { search } = useLocation()
  const navigate = useNavigateFromHere()
  const offer = useQuery(offerQuery(code))
  /** The course whose staff have to approve. */
  const [waitsFor, setWaitsFor] = useState<string | null>(null)

  async function goOn({ course, state }: Joined) {
    if (state === 'waiting') return setWaitsFor(course)
    const wanted = new URLSearchParams(search).get('redirect')
    await navigate(pathAfterJoining(course, wanted), { replace: true })
    void refresh(['courses'], ['course', course])
  }

  if (waitsFor !== null)
    return (
      <Told
        color="green"
        title={t('join.waiting', { course: waitsFor })}
        text={t('join.waitingNext')}
        way="courses"
        onOtherCode={onOtherCode}
      />
    )
  if (isNotFound(offer.error)) return <Refusal error={offer.error} onOtherCode={onOtherCode} />
  if (offer.isPending) return <RowsSkeleton rows={2} height={140} />
  if (offer.isLoadingError) return <ErrorBox of={offer} />
  return <Offer code={code} offer={offer.data} onJoined={goOn} onOtherCode={onOtherCode} />
}

/** `/join#CODE`: joins a course by a code, with the account that is signed in, another one, or a new one. */
export function JoinPage() {
  const { t } = useTranslation()
  const { code, open, drop } = useCode()
  return (
    <Page title={t('join.title')}>
      {code === null ? (
        <CodeForm onCode={open} />
      ) : (
        <OfferOf key={code} code={code} onOtherCode={drop} />
      )}
    </Page>
  )
}
