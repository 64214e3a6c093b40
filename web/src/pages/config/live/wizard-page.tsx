import { wizardCalls } from '@farlink/contract/config/wizard.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { controlId } from '../../../kit/document/document-context.ts';
import { DocumentFields } from '../../../kit/document/document-fields.tsx';
import { valueText } from '../../../kit/document/value-text.ts';
import { goTo } from '../../../kit/form/use-submit.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/antd/button.ts';
import { Callout } from '../../../ui/native/callout.tsx';
import { hrefOf } from '../frame/config-tree.tsx';
import { stepsOf } from '../frame/guide-steps.ts';
import './live.css';
import { useEdits } from '../apply/edits.ts';
import { nodeOf } from '../frame/page-search.ts';
import { uploadOf } from '../section/section.ts';
import { useValues } from '../section/values-form.ts';
import { refreshConfig, usePageData, useTree } from '../use-config.ts';
import type { LivePageProps } from './live-page.ts';

const ReviewDrawer = lazy(() => import('../apply/review-drawer.tsx'));

const texts = {
  steps: ['步骤', 'Steps'],
  review: ['核对', 'Review'],
  back: ['上一步', 'Back'],
  next: ['下一步', 'Next'],
  make: ['生成草稿并核对', 'Make drafts and review'],
  hint: [
    '将据此生成各配置页的草稿；核对差异并下发后才会生效',
    'Creates drafts of the configuration pages. They take effect after you review and apply them.',
  ],
  wrong: ['还有 {0} 项需要修改', 'Fields to correct: {0}'],
  readOnly: ['您仅有查看权限', 'You have view-only permission'],
} as const satisfies Record<string, Text>;

/** A wizard over several pages; it ends with the review. */
const WizardPage = ({ deviceId, page, writable }: LivePageProps) => {
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
  const refs = data?.refs ?? {};
  const isThere = (name: string) => page.fields[name]?.when?.(form.values) !== false;
  const stepOf = (name: string) => steps.findIndex(({ fields }) => fields.includes(name));
  const wrongIn = (names: readonly string[]) =>
    Object.keys(form.state.shown).filter((path) => names.some((name) => path.startsWith(name))).length;
  const goId = `${form.id}-go`;
  /** Goes to another step and focuses its first field. */
  const walk = (to: number, field = steps[to]?.fields.find(isThere)) => {
    setAt(to);
    setBegin({ id: field === undefined ? goId : controlId(form, field) });
  };
  useEffect(() => {
    if (begin) goTo(begin.id);
  }, [begin]);
  const make = async () => {
    const refused = await form.send(async (values) => {
      try {
        await call(wizardCalls.write, { device_id: deviceId, page: page.key, values }, { silent: true });
      } catch (error) {
        if (error instanceof CallError && error.code !== errors.bad_input.code) notify.error(error.message);
        throw error;
      }
      edits.asked.delete(page.key);
      await refreshConfig(client, deviceId);
      setReview(true);
    });
    if (refused !== undefined) walk(Math.max(0, stepOf(refused)), refused);
  };
  const fields = step ? Object.fromEntries(Object.entries(page.fields).filter(([name]) => step.fields.includes(name))) : {};
  const total = wrongIn(Object.keys(page.fields));
  return (
    <>
      <header className="config-page-head">
        <div>
          <h2>{t(page.title)}</h2>
        </div>
        <p className="muted">{t(page.summary)}</p>
      </header>
      <ol className="guide-steps" aria-label={t(texts.steps)}>
        {[...steps.map(({ title, fields: names }) => ({ title, wrong: wrongIn(names) })), { title: texts.review, wrong: 0 }].map(
          ({ title, wrong }, i) => (
            <li key={title[1]}>
              <button
                type="button"
                aria-current={i === at ? 'step' : undefined}
                data-wrong={wrong > 0 || undefined}
                onClick={() => setAt(i)}
              >
                <span aria-hidden>{i + 1}</span>
                <span>{t(title)}</span>
              </button>
            </li>
          ),
        )}
      </ol>
      <form
        noValidate
        aria-label={t(page.title)}
        onSubmit={(e) => {
          e.preventDefault();
          if (step) walk(at + 1);
          else void make();
        }}
      >
        {step ? (
          <DocumentFields
            id={form.id}
            fields={fields}
            values={form.values}
            onPut={form.put}
            state={form.state}
            refs={refs}
            isReadOnly={!writable}
            hrefOf={(key) => (tree && nodeOf(tree.groups, key) ? hrefOf(key) : undefined)}
            upload={uploadOf(deviceId, page.key)}
          />
        ) : (
          <>
            {total > 0 && <Callout tone="error">{t(texts.wrong, total)}</Callout>}
            <dl className="guide-summary">
              {Object.entries(page.fields)
                .filter(([name]) => isThere(name))
                .map(([name, field]) => (
                  <div key={name} className="guide-fact">
                    <dt>{t(field.label)}</dt>
                    <dd className="clip">{valueText(field, form.values[name], refs)}</dd>
                  </div>
                ))}
            </dl>
            <p className="hint">{t(texts.hint)}</p>
          </>
        )}
        <div className="guide-foot">
          {at > 0 && <Button onClick={() => walk(at - 1)}>{t(texts.back)}</Button>}
          <Button id={goId} type="primary" htmlType="submit" disabled={!step && !writable} loading={form.isBusy}>
            {t(step ? texts.next : texts.make)}
          </Button>
          {!writable && <span className="hint">{t(texts.readOnly)}</span>}
        </div>
      </form>
      {isReview && tree && (
        <Suspense>
          <ReviewDrawer
            deviceId={deviceId}
            device={tree.device}
            hrefOf={(key) => (nodeOf(tree.groups, key) ? hrefOf(key) : undefined)}
            onClose={() => setReview(false)}
          />
        </Suspense>
      )}
    </>
  );
};
export default WizardPage;
