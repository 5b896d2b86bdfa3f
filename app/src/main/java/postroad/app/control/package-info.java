/// The control socket: how the command line speaks to a running node of the same user. The protocol is described in
/// `docs/protocol/control.md`.
///
/// Public: [ControlServer], [ControlClient], [ControlException], [NodeAccess].
package postroad.app.control;
