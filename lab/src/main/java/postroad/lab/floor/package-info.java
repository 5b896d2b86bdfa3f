/// `bench floor`: where a small REQ spends its time, in process, on the wire and beside other relays. Public:
/// [Floor], [FloorOptions], [EchoProcess].
package postroad.lab.floor;
