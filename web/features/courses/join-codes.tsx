import { Button, Group, Menu, Text } from '@mantine/core'
import { IconPlus, IconPresentation } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { joinCodeText, type JoinCode, type JoinCodeEdit, type Joining } from '#contract/joining'
import { TimeText } from '../../components/display/time-text.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { Row, RowList } from '../../components/lists/row-list.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { RowMenu } from '../../components/overlays/row-menu.tsx'
import { Section } from '../../components/page/section.tsx'
import { askToConfirm } from '../../lib/confirm.ts'
import { useServerNow } from '../../lib/live/use-server-now.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { JoinCodeForm } from './join-code-form.tsx'
import { JoinSlide } from './join-slide.tsx'
import { codeState, studentCodes } from './joining.ts'
import { changeCode, makeCode, refreshJoining } from './joining-calls.ts'
import classes from './members-page.module.css'
import { Said } from '../../components/feedback/said.tsx'

/** Who may join by a code, and how many have used it, those who wait included. */
function CodeFacts({ code }: { code: JoinCode }) {
  const { t } = useTranslation()
  const { labels } = useCourse()
  const { most, joined, until, labelId, domains, approval } = code
  const label = labels.find(({ id }) => id === labelId)
  return (
    <>
      <span>
        {most === null
          ? t('joinCodes.usedCount', { count: joined })
          : t('joinCodes.usedOf', { count: joined, most })}
      </span>
      {until === null ? null : (
        <span>
          {t('joinCodes.until')} <TimeText at={until} isDeadline />
        </span>
      )}
      {label ? <span>{t('joinCodes.getsLabel', { name: label.name })}</span> : null}
      {domains.length > 0 ? <span>{domains.map((name) => `@${name}`).join(', ')}</span> : null}
      {approval ? <span>{t('joinCodes.approval')}</span> : null}
    </>
  )
}

interface CodeRowProps {
  code: JoinCode & { code: string }
  isBusy: boolean
  onShow: () => void
  onEdit: () => void
  onChange: (change: JoinCodeEdit) => void
}

/** A code with what can be done to it. */
function CodeRow({ code, isBusy, onShow, onEdit, onChange }: CodeRowProps) {
  const { t } = useTranslation()
  const state = codeState(code, useServerNow() / 1000)
  const text = joinCodeText(code.code)
  const isClosed = code.closedAt !== null

  async function askAndRotate() {
    const isSure = await askToConfirm({
      title: t('joinCodes.rotate.title', { code: text }),
      text: t('joinCodes.rotate.text'),
      label: t('joinCodes.rotate.label'),
    })
    if (isSure) onChange({ rotate: true })
  }

  return (
    <Row
      title={
        <>
          <span className="mono">{text}</span>
          <Text span size="sm" c="dimmed">
            {t(`joinCodes.state.${state}`)}
          </Text>
        </>
      }
      facts={<CodeFacts code={code} />}
      action={
        <Group gap={8}>
          {state === 'open' ? (
            <Button
              size="xs"
              leftSection={<IconPresentation size={14} aria-hidden="true" />}
              aria-label={t('joinCodes.showOf', { code: text })}
              onClick={onShow}
            >
              {t('joinCodes.show')}
            </Button>
          ) : null}
          <Button
            size="xs"
            variant="default"
            disabled={isBusy}
            aria-label={t(isClosed ? 'joinCodes.reopenOf' : 'joinCodes.closeOf', { code: text })}
            onClick={() => onChange({ closed: !isClosed })}
          >
            {t(isClosed ? 'joinCodes.reopen' : 'joinCodes.close')}
          </Button>
          <RowMenu label={t('members.actionsOf', { name: text })} disabled={isBusy}>
            <Menu.Item onClick={onEdit}>{t('common.edit')}</Menu.Item>
            {isClosed ? null : (
              <Menu.Item onClick={() => void askAndRotate()}>
                {t('joinCodes.rotate.label')}
              </Menu.Item>
            )}
          </RowMenu>
        </Group>
      }
    />
  )
}

/** The calls of the section; a code that is new is shown at once. */
function useCodeCalls(onNew: (code: JoinCode) => void) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const [said, setSaid] = useState('')
  const make = useMutation({
    mutationFn: () => makeCode(course, {}),
    onSuccess: onNew,
    onSettled: () => refreshJoining(course),
  })
  const change = useMutation({
    mutationFn: ({ codeId, edit }: { codeId: number; edit: JoinCodeEdit }) =>
      changeCode(course, codeId, edit),
    onMutate: () => setSaid(''),
    onSuccess: (code, { edit }) => {
      if (edit.rotate) onNew(code)
      else setSaid(t(code.closedAt === null ? 'joinCodes.opened' : 'joinCodes.closed'))
    },
    onSettled: () => refreshJoining(course),
  })
  return { make, change, said }
}

/** What the section shows over the page: a code, or the form of one. */
type Opened = { code: JoinCode | null; isForm: boolean }

interface CodeDialogsProps {
  opened: Opened | null
  /** Counts the openings, so that the form starts anew each time. */
  opening: number
  onMade: (code: JoinCode) => void
  onClose: () => void
}

/** The form of a code, and the code for a slide. */
function CodeDialogs({ opened, opening, onMade, onClose }: CodeDialogsProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const code = opened?.code ?? null
  return (
    <>
      <Dialog
        opened={opened?.isForm === true}
        onClose={onClose}
        title={t(code === null ? 'joinCodes.newWithRules' : 'joinCodes.edit')}
        keepsInput
      >
        <JoinCodeForm
          key={opening}
          code={code}
          onDone={(saved) => (code === null ? onMade(saved) : onClose())}
          onClose={onClose}
        />
      </Dialog>
      <Dialog
        size="full"
        opened={opened?.isForm === false}
        onClose={onClose}
        title={t('joinCodes.title')}
      >
        {code?.code == null ? null : (
          <JoinSlide course={course} codeId={code.id} code={code.code} />
        )}
      </Dialog>
    </>
  )
}

interface CodeListProps {
  codes: CodeRowProps['code'][]
  isBusy: boolean
  onOpen: (opened: Opened) => void
  onChange: (codeId: number, edit: JoinCodeEdit) => void
}

function CodeList({ codes, isBusy, onOpen, onChange }: CodeListProps) {
  return (
    <RowList>
      {codes.map((code) => (
        <CodeRow
          key={code.id}
          code={code}
          isBusy={isBusy}
          onShow={() => onOpen({ code, isForm: false })}
          onEdit={() => onOpen({ code, isForm: true })}
          onChange={(edit) => onChange(code.id, edit)}
        />
      ))}
    </RowList>
  )
}

interface NewButtonsProps {
  isMaking: boolean
  onMake: () => void
  onForm: () => void
}

/** Makes a code at once, or after saying who may join by it. */
function NewButtons({ isMaking, onMake, onForm }: NewButtonsProps) {
  const { t } = useTranslation()
  return (
    <Group gap={8}>
      <Button variant="default" onClick={onForm}>
        {t('joinCodes.newWithRules')}
      </Button>
      <Button
        loading={isMaking}
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        onClick={onMake}
      >
        {t('joinCodes.new')}
      </Button>
    </Group>
  )
}

/** The codes by which students join: makes, shows, changes and closes them. */
export function JoinCodes({ joining }: { joining: Joining }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<Opened | null>(null)
  const [opening, setOpening] = useState(0)
  const show = (code: JoinCode) => setOpened({ code, isForm: false })
  const { make, change, said } = useCodeCalls(show)
  const codes = studentCodes(joining)
  const open = codes.filter(({ closedAt }) => closedAt === null)
  const closed = codes.filter(({ closedAt }) => closedAt !== null)

  function onOpen(next: Opened) {
    setOpening(opening + 1)
    setOpened(next)
  }

  const list = {
    isBusy: change.isPending,
    onOpen,
    onChange: (codeId: number, edit: JoinCodeEdit) => change.mutate({ codeId, edit }),
  }
  return (
    <div className={classes.joining}>
      <Section
        title={t('joinCodes.title')}
        help={t(open.length === 0 ? 'joinCodes.empty' : 'joinCodes.help')}
        actions={
          <NewButtons
            isMaking={make.isPending}
            onMake={() => make.mutate()}
            onForm={() => onOpen({ code: null, isForm: true })}
          />
        }
      >
        <FormError error={make.error ?? change.error} />
        <Said text={said} />
        {open.length > 0 ? <CodeList codes={open} {...list} /> : null}
        {closed.length > 0 ? (
          <details>
            <summary>{t('joinCodes.closedCount', { count: closed.length })}</summary>
            <CodeList codes={closed} {...list} />
          </details>
        ) : null}
      </Section>
      <CodeDialogs
        opened={opened}
        opening={opening}
        onMade={show}
        onClose={() => setOpened(null)}
      />
    </div>
  )
}
