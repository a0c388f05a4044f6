import { Anchor, Fieldset, Group, NativeSelect, Stack, Switch, Text } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  delivery,
  noticeKind,
  type Delivery,
  type NoticeKind,
  type NoticeSettings,
  type OwnNoticeSettings,
} from '#contract/notices'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { useLeaveWarning } from '../../lib/drafts/leave-warning.ts'
import { useSession } from '../../lib/session/session.ts'
import { paths } from '../../paths.ts'
import { noticeSettingsQuery } from './api.ts'

/** Where the mails go, or why none comes. */
function MailNote({ address }: Pick<OwnNoticeSettings, 'address'>) {
  const { t } = useTranslation()
  const { user } = useSession()
  if (address !== null) return <Text size="sm">{t('notices.mailsTo', { address })}</Text>
  if (user?.emailConfirmed === true) return <Text size="sm">{t('notices.noMails')}</Text>
  return (
    <Text size="sm">
      {t('notices.unconfirmed')}{' '}
      <Anchor component={Link} to={paths.profile()} inherit underline="always">
        {t('nav.profile')}
      </Anchor>
    </Text>
  )
}

/** The kinds that the user may get, in the order of the contract. */
function kindsOf({ kinds }: OwnNoticeSettings): [NoticeKind, Delivery][] {
  return noticeKind.options.flatMap((kind) => {
    const chosen = kinds[kind]
    return chosen === undefined ? [] : [[kind, chosen] as [NoticeKind, Delivery]]
  })
}

/** The form of stored settings. Courses that the user has left are no longer muted. */
export function toValues({ kinds, courses, mutedCourses, mails }: OwnNoticeSettings) {
  return { kinds, mutedCourses: courses.filter((name) => mutedCourses.includes(name)), mails }
}

interface FieldsProps {
  form: UseFormReturnType<NoticeSettings>
  stored: OwnNoticeSettings
}

/** How the user hears of each kind. */
function KindFields({ form, stored }: FieldsProps) {
  const { t } = useTranslation()
  const { kinds } = form.values
  const data = delivery.options.map((value) => ({ value, label: t(`notices.delivery.${value}`) }))
  return kindsOf(stored).map(([kind, first]) => (
    <NativeSelect
      key={kind}
      label={t(`notices.kind.${kind}`)}
      value={kinds[kind] ?? first}
      data={data}
      onChange={({ currentTarget: { value } }) =>
        form.setFieldValue('kinds', { ...kinds, [kind]: delivery.parse(value) })
      }
    />
  ))
}

/** Of which courses the user hears. */
function CourseFields({ form, stored }: FieldsProps) {
  const { t } = useTranslation()
  const { mutedCourses } = form.values
  if (stored.courses.length === 0) return null
  return (
    <Fieldset legend={t('notices.courses')} variant="unstyled">
      <Stack gap="xs" mt="xs">
        {stored.courses.map((course) => (
          <Switch
            key={course}
            label={course}
            checked={!mutedCourses.includes(course)}
            onChange={({ currentTarget: { checked } }) =>
              form.setFieldValue(
                'mutedCourses',
                stored.courses.filter((name) =>
                  name === course ? !checked : mutedCourses.includes(name),
                ),
              )
            }
          />
        ))}
      </Stack>
    </Fieldset>
  )
}

/** How the user hears of each kind, of which courses, and whether by mail. */
export function SettingsForm({ stored }: { stored: OwnNoticeSettings }) {
  const { t } = useTranslation()
  const form = useForm<NoticeSettings>({
    initialValues: toValues(stored),
    onValuesChange: () => save.isSuccess && save.reset(),
  })
  const save = useMutation({
    mutationFn: (body: NoticeSettings) => call('PUT /notices/settings', { body }),
    onSuccess: async (_, values) => {
      form.resetDirty(values)
      await refresh(noticeSettingsQuery.queryKey, ['notices'])
    },
  })
  const dirty = form.isDirty()
  useLeaveWarning(useCallback(() => dirty, [dirty]))
  return (
    <CheckedForm form={form} onSend={(values) => save.mutate(values)}>
      <MailNote address={stored.address} />
      <Switch
        label={t('notices.mails')}
        description={t('notices.mailsHelp')}
        {...form.getInputProps('mails', { type: 'checkbox' })}
      />
      <KindFields form={form} stored={stored} />
      <CourseFields form={form} stored={stored} />
      <FormError error={save.error} />
      <Group justify="flex-end">
        <output>
          {save.isSuccess ? (
            <Text size="sm" c="dimmed">
              {t('common.saved')}
            </Text>
          ) : null}
        </output>
        <FormButtons isSending={save.isPending} disabled={!dirty} />
      </Group>
    </CheckedForm>
  )
}
