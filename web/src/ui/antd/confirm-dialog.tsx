import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from '../native/button.tsx';
import { Modal } from './modal.tsx';

interface Question {
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

interface ConfirmDialogProps {
  readonly question: Question;
  readonly onAnswer: (yes: boolean) => void;
  readonly onClosed: () => void;
}

/** Enter confirms, except in a dangerous question, where it cancels. */
const ConfirmDialog = ({ question: q, onAnswer, onClosed }: ConfirmDialogProps) => {
  const [open, setOpen] = useState(true);
  const close = (yes: boolean) => {
    onAnswer(yes);
    setOpen(false);
  };
  const buttons = (
    <>
      <Button data-first={q.danger || undefined} onClick={() => close(false)}>
        {q.cancel}
      </Button>
      <Button kind="primary" danger={q.danger} data-first={!q.danger || undefined} onClick={() => close(true)}>
        {q.ok}
      </Button>
    </>
  );
  return (
    <Modal open={open} title={q.title} onCancel={() => close(false)} width={q.width} top={q.top} footer={buttons} afterClose={onClosed}>
      {q.about}
      {q.text}
    </Modal>
  );
};

/** Shows a question from anywhere, outside of the component tree. */
export const openConfirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const container = document.createElement('div');
    document.body.append(container);
    const root = createRoot(container);
    const remove = () => {
      root.unmount();
      container.remove();
    };
    root.render(<ConfirmDialog question={question} onAnswer={resolve} onClosed={remove} />);
  });
