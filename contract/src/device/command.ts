import { choice, int, progress, text, time } from '../kit/field.ts';
import { resource } from '../kit/resource.ts';
import { commandState } from '../protocol/command.ts';
import { waitReason } from './shadow.ts';

/** Gateway commands, with labels for operators. */
export const commandOp = [
  { id: 'sys.reboot', label: ['重启网关', 'Reboot'] },
  { id: 'sys.upgrade', label: ['升级固件', 'Upgrade'] },
  { id: 'sys.rollback', label: ['版本回退', 'Roll back'] },
  { id: 'cfg.get', label: ['读取配置', 'Read configuration'] },
  { id: 'page.read', label: ['读取网关页面', 'Read gateway page'] },
  { id: 'page.run', label: ['执行网关操作', 'Run gateway action'] },
  { id: 'page.stop', label: ['中止网关操作', 'Stop gateway action'] },
  { id: 'file.get', label: ['下载文件', 'Fetch file'] },
  { id: 'file.stop', label: ['停止下载', 'Stop download'] },
  { id: 'file.pause', label: ['暂停下载', 'Pause download'] },
  { id: 'file.resume', label: ['继续下载', 'Resume download'] },
  { id: 'file.delete', label: ['删除文件', 'Delete file'] },
  { id: 'docker.info', label: ['查询容器', 'Ask for containers'] },
  { id: 'docker.logs', label: ['上传容器日志', 'Upload container logs'] },
  { id: 'dpi.send', label: ['上报DPI数据', 'Report DPI data'] },
  { id: 'dpi.stop', label: ['停止上报DPI数据', 'Stop reporting DPI data'] },
  { id: 'docker.ctl', label: ['控制容器', 'Control container'] },
  { id: 'backup.make', label: ['备份配置', 'Make backup'] },
  { id: 'backup.restore', label: ['恢复配置', 'Restore backup'] },
  { id: 'link.switch', label: ['切换链路', 'Switch link'] },
  { id: 'link.lock', label: ['锁定链路', 'Lock link'] },
  { id: 'user.kick', label: ['强制用户下线', 'Kick user'] },
  { id: 'user.login', label: ['用户上线', 'Log in user'] },
  { id: 'ap.ctl', label: ['控制AP', 'Control AP'] },
  { id: 'remote.open', label: ['打开远程访问', 'Open remote access'] },
  { id: 'remote.close', label: ['关闭远程访问', 'Close remote access'] },
  { id: 'vno.transfer', label: ['转移VNO', 'Transfer to VNO'] },
  { id: 'vno.clear', label: ['清除转移', 'Clear transfer'] },
  { id: 'key.set', label: ['更换密钥', 'Change key'] },
  { id: 'diag.ping', label: ['Ping诊断', 'Ping'] },
  { id: 'diag.trace', label: ['路由跟踪', 'Trace route'] },
  { id: 'diag.capture', label: ['抓包', 'Capture packets'] },
] as const;
export type CommandOp = (typeof commandOp)[number]['id'];

/** Commands to one gateway. The id is the command id as a number. */
export const deviceCommand = resource({
  fields: {
    create_at: time(['下发时间', 'Given at'], { sort: true }),
    op: choice(['命令', 'Command'], commandOp, { width: 150 }),
    state: choice(['状态', 'State'], commandState.options, { width: 120 }),
    waits: choice(['等待原因', 'Why it waits'], waitReason, { width: 240 }),
    progress: progress(['进度', 'Progress'], { width: 130 }),
    code: int(['结果码', 'Code'], { width: 80 }),
    err: text(['失败原因', 'Reason'], { tooltip: true, width: 200 }),
    operator: text(['操作人', 'Operator'], { width: 110 }),
    sends: int(['发送次数', 'Sends'], { width: 90, hiddenByDefault: true }),
    sent_at: time(['最近发送', 'Last sent'], { hiddenByDefault: true }),
    deadline: time(['有效期至', 'Valid until'], { hiddenByDefault: true }),
    finish_at: time(['完成时间', 'Finished at'], { sort: true }),
  },
  title: ['op', 'create_at'],
  columns: ['create_at', 'op', 'state', 'waits', 'progress', 'code', 'err', 'operator', 'sends', 'sent_at', 'deadline', 'finish_at'],
  filters: ['op', 'state'],
  orderby: 'create_at desc',
});
