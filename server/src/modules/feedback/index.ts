import { feedbackCalls as calls } from '@farlink/contract/feedback/feedback.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { downloadAttachments, previewAttachment } from './attachments.ts';
import { editFeedback, exportFeedback, listFeedback, listFeedbackExports, readFeedback } from './feedback.ts';
import { readFeedbackContext } from './feedback-context.ts';

export const feedbackBindings = bindAll(calls, {
  list: listFeedback,
  info: readFeedback,
  around: readFeedbackContext,
  edit: editFeedback,
  attach: downloadAttachments,
  preview: previewAttachment,
  export: exportFeedback,
  exports: listFeedbackExports,
});
