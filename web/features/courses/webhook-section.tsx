import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconCheck, IconKey } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { courseWebhook, newWebhook, webhookSet, webhookTrial } from '#contract/course-webhooks'
import { TEXT_LIMITS } from '#contract/limits'
import { CopyText } from '../../components/display/secret-text.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { CheckedForm } from '../../components/forms/checked-form.tsx'
import { FormButtons } from '../../components/forms/form-buttons.tsx'
import { Section } from '../../components/page/section.tsx'
import { apiQuery } from '../../lib/api/api-query.ts'
import { call } from '../../lib/api/call.ts'
import { refresh } from '../../lib/api/query-client.ts'
import { askToConfirm } from '../../lib/confirm.ts'
import { useFaultText, WebhookState } from './webhook-state.tsx'

/** GET /course/{name}/webhook. */
export function webhookQuery(course: string) {
  return apiQuery(['course', course, 'webhook'], 'GET /course/:name/webhook', {
    params: { name: course },
    as: courseWebhook,
  })
}

interface AddressFormProps {
  /** null: there is no webhook. */
  url: string | null
  isSending: boolean
  onSend: (url: string) => void
}

/** The address, which is saved with a new secret. */
function AddressForm({ url, isSending, onSend }: AddressFormProps) {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { url: url ?? '' },
    validate: (values) =>
      newWebhook.safeParse(values).success ? {} : { url: t('webhook.badUrl') },
  })
  return (
    <CheckedForm form={form} onSend={(values) => onSend(values.url)} gap="sm">
      <TextInput
        label={t('webhook.url')}
        description={t('webhook.urlHelp')}
        type="url"
        maxLength={TEXT_LIMITS.webhookUrl}
        spellCheck={false}
        {...form.getInputProps('url')}
      />
      <FormButtons
        label={t(url === null ? 'webhook.set' : 'webhook.renew')}
        isSending={isSending}
      />
    </CheckedForm>
  )
}

/** The new secret, which is shown once. */
function NewSecret({ secret }: { secret: string }) {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" icon={<IconKey />}>
      <Stack gap="xs">
        <Text size="sm">{t('secret.once')}</Text>
        <CopyText label={t('webhook.secret')} text={secret} />
        <Text size="sm">{t('webhook.use')}</Text>
      </Stack>
    </Alert>
  )
}

/** The buttons that test and remove the webhook, and the answer to the test. */
function WebhookButtons({ course, onRemoved }: { course: string; onRemoved: () => Promise<void> }) {
  const { t } = useTranslation()
  const faultText = useFaultText()
  const params = { name: course }
  const trial = useMutation({
    mutationFn: () => call('POST /course/:name/webhook/trial', { params, as: webhookTrial }),
  })
  const removal = useMutation({
    mutationFn: () => call('DELETE /course/:name/webhook', { params }),
    onSuccess: onRemoved,
  })

  async function remove() {
    const label = t('webhook.remove')
    const isSure = await askToConfirm({
      title: t('webhook.removeAsk'),
      text: t('webhook.removeText'),
      label,
    })
    if (isSure) removal.mutate()
  }

  return (
    <Stack gap="sm">
      <Group>
        <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
          {t('webhook.try')}
        </Button>
        <Button variant="default" loading={removal.isPending} onClick={() => void remove()}>
          {t('webhook.remove')}
        </Button>
      </Group>
      <ErrorBox of={trial} />
      <ErrorBox of={removal} />
      <output>
        {trial.data?.fault === null ? (
          <Alert color="green" icon={<IconCheck />}>
            {t('webhook.taken')}
          </Alert>
        ) : null}
        {trial.data?.fault ? <Alert color="red">{faultText(trial.data.fault)}</Alert> : null}
      </output>
    </Stack>
  )
}

function CourseWebhook({ course }: { course: string }) {
  const webhook = useQuery(webhookQuery(course))
  const onSettled = () => refresh(webhookQuery(course).queryKey)
  const setting = useMutation({
    mutationFn: (url: string) =>
      call('PUT /course/:name/webhook', {
        params: { name: course },
        body: { url },
        as: webhookSet,
      }),
    onSettled,
  })
  if (webhook.isPending) return <RowsSkeleton rows={1} height={36} />
  if (webhook.isLoadingError) return <ErrorBox of={webhook} />
  const stored = webhook.data

  function onRemoved() {
    setting.reset()
    return onSettled()
  }

  return (
    <Stack gap="md">
      {stored ? <WebhookState webhook={stored} /> : null}
      <AddressForm
        url={stored?.url ?? null}
        isSending={setting.isPending}
        onSend={setting.mutate}
      />
      <ErrorBox of={setting} />
      {/* Always rendered, so that screen readers announce the secret. */}
      <output>{setting.data ? <NewSecret secret={setting.data.secret} /> : null}</output>
      {stored ? (
        <WebhookButtons key={stored.createTime} course={course} onRemoved={onRemoved} />
      ) : null}
    </Stack>
  )
}

/** The part of the settings with the webhook of the course. */
export function WebhookSection({ course }: { course: string }) {
  const { t } = useTranslation()
  return (
    <Section title={t('webhook.title')} help={t('webhook.help')}>
      <CourseWebhook course={course} />
    </Section>
  )
}
