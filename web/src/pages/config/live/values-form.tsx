import type { GatewayFields } from '@farlink/gateway/kit/field.ts';
import type { ReactNode } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { DocumentFields } from '../../../kit/document/document-fields.tsx';
import { uploadOf } from '../section/section.ts';
import { usePageData } from '../use-config.ts';
import type { LivePageProps } from './live-page.ts';
import type { useValues } from './use-values.ts';
import './live.css';

interface ValuesFieldsProps extends Omit<LivePageProps, 'hrefOf'>, Partial<Pick<LivePageProps, 'hrefOf'>> {
  readonly form: ReturnType<typeof useValues>;
  /** A part of the fields; default: all of the page. */
  readonly fields?: GatewayFields;
}

/** Input of a page without stored content. */
export const ValuesFields = ({ deviceId, page, writable, form, fields = page.fields, hrefOf }: ValuesFieldsProps) => {
  const { data } = usePageData(deviceId, page.key);
  return (
    <DocumentFields
      id={form.id}
      fields={fields}
      values={form.values}
      onPut={form.put}
      state={form.state}
      refs={data?.refs ?? {}}
      isReadOnly={!writable}
      hrefOf={hrefOf}
      upload={uploadOf(deviceId, page.key)}
    />
  );
};

interface ValuesFormProps extends Pick<LivePageProps, 'page'> {
  readonly className?: string;
  readonly onSubmit: () => void;
  /** Class and content of the line with the buttons. */
  readonly footClass?: string;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** Form of a page without stored content. */
export const ValuesForm = ({ page, className, onSubmit, footClass = 'run-foot', foot, children }: ValuesFormProps) => (
  <form
    noValidate
    className={className}
    aria-label={t(page.title)}
    onSubmit={(e) => {
      e.preventDefault();
      onSubmit();
    }}
  >
    {children}
    <div className={footClass}>{foot}</div>
  </form>
);
