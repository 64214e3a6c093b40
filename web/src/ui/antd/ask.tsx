import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Themed } from '../theme/themed.tsx';
import { Modal } from './modal.tsx';

interface Question {
  readonly lang: 'zh' | 'en';
  readonly title: string;
  readonly text: string;
  /** Above the text: the affected objects. */
  readonly about?: ReactNode;
  readonly ok: string;
  readonly cancel: string;
  readonly danger: boolean;
  readonly width: number;
  readonly top: string;
}

/** Enter confirms, except in a dangerous question, where it cancels. */
const Ask = ({ q, answer, gone }: { q: Question; answer: (yes: boolean) => void; gone: () => void }) => {
  const [open, setOpen] = useState(true);
  const say = (yes: boolean) => {
    answer(yes);
    setOpen(false);
  };
  const buttons = (
    <>
      <Button data-first={q.danger || undefined} onClick={() => say(false)}>
        {q.cancel}
      </Button>
      <Button type="primary" danger={q.danger} data-first={!q.danger || undefined} onClick={() => say(true)}>
        {q.ok}
      </Button>
    </>
  );
  return (
    <Modal open={open} title={q.title} onCancel={() => say(false)} width={q.width} top={q.top} footer={buttons} afterClose={gone}>
      {q.about}
      {q.text}
    </Modal>
  );
};

/** Shows a question from anywhere, outside of the component tree. */
export const ask = (q: Question): Promise<boolean> =>
  new Promise((answer) => {
    const host = document.createElement('div');
    document.body.append(host);
    const root = createRoot(host);
    const gone = () => {
      root.unmount();
      host.remove();
    };
    root.render(
      <Themed lang={q.lang}>
        <Ask q={q} answer={answer} gone={gone} />
      </Themed>,
    );
  });
