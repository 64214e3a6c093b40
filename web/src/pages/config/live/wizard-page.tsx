import { wizardCalls } from '@farlink/contract/config/wizard.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { controlId } from '../../../kit/document/document-context.ts';
import { focusControl } from '../../../kit/form/use-submit.ts';
import { call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/native/button.tsx';
import { useEdits } from '../apply/edits.ts';
import { stepsOf } from '../frame/guide-steps.ts';
import { PageHead } from '../frame/page-head.tsx';
import { refreshConfig, usePageData, useTree } from '../use-config.ts';
import type { LivePageProps } from './live-page.ts';
import { useValues } from './use-values.ts';
import { ValuesFields, ValuesForm } from './values-form.tsx';
import { isRelevant, StepList, StepSummary } from './wizard-steps.tsx';

const ReviewDrawer = lazy(() => import('../apply/review-drawer.tsx'));

const texts = {
  back: ['上一步', 'Back'],
  next: ['下一步', 'Next'],
  make: ['生成草稿并核对', 'Make drafts and review'],
  readOnly: ['您仅有查看权限', 'You have view-only permission'],
} as const satisfies Record<string, Text>;

/** A wizard over several pages; it ends with the review. */
const WizardPage = ({ deviceId, page, writable, hrefOf }: LivePageProps) => {
  const client = useQueryClient();
  const edits = useEdits();
  const [at, setAt] = useState(0);
  const [begin, setBegin] = useState<{ readonly id: string }>();
  const [isReview, setReview] = useState(false);
  const { data } = usePageData(deviceId, page.key);
  const { data: tree } = useTree(deviceId);
  const form = useValues(page, page.fields.device_name && tree ? { device_name: tree.device.name.slice(0, 25) } : {});
  const steps = stepsOf(page);
  const step = steps[at];
  const wrongIn = (names: readonly string[]) =>
    Object.keys(form.state.shown).filter((path) => names.some((name) => path.startsWith(name))).length;
  const nextId = `${form.id}-next`;
  /** Goes to another step and focuses its first field. */
  const goToStep = (to: number, field = steps[to]?.fields.find((name) => isRelevant(page, form.values, name))) => {
    setAt(to);
    setBegin({ id: field === undefined ? nextId : controlId(form, field) });
  };
  useEffect(() => {
    if (begin) focusControl(begin.id);
  }, [begin]);
  const make = async () => {
    const refused = await form.send(async (values) => {
      await call(wizardCalls.write, { device_id: deviceId, page: page.key, values }, { silent: true });
      edits.inputs.delete(page.key);
      await refreshConfig(client, deviceId);
      setReview(true);
    });
    if (refused === undefined) return;
    goToStep(
      Math.max(
        0,
        steps.findIndex(({ fields }) => fields.includes(refused)),
      ),
      refused,
    );
  };
  const foot = (
    <>
      {at > 0 && <Button onClick={() => goToStep(at - 1)}>{t(texts.back)}</Button>}
      <Button id={nextId} kind="primary" type="submit" disabled={!step && !writable} loading={form.isBusy}>
        {t(step ? texts.next : texts.make)}
      </Button>
      {!writable && <span className="hint">{t(texts.readOnly)}</span>}
    </>
  );
  const fields = Object.fromEntries(Object.entries(page.fields).filter(([name]) => step?.fields.includes(name)));
  return (
    <>
      <PageHead page={page} />
      <StepList steps={steps} current={at} wrongIn={wrongIn} onSelect={setAt} />
      <ValuesForm page={page} onSubmit={() => (step ? goToStep(at + 1) : void make())} footClass="guide-foot" foot={foot}>
        {step ? (
          <ValuesFields deviceId={deviceId} page={page} writable={writable} form={form} fields={fields} hrefOf={hrefOf} />
        ) : (
          <StepSummary page={page} values={form.values} refs={data?.refs ?? {}} wrongCount={wrongIn(Object.keys(page.fields))} />
        )}
      </ValuesForm>
      <Suspense>
        {isReview && tree && <ReviewDrawer deviceId={deviceId} device={tree.device} hrefOf={hrefOf} onClose={() => setReview(false)} />}
      </Suspense>
    </>
  );
};
export default WizardPage;
