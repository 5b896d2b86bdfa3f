/// The command line.
package postroad.app;
